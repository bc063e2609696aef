// The scale of a logarithmic slider: where a value lies on it, and at which values a hand stops.

// A scale that begins at 0 keeps this share of its length for it, since 0 has no logarithm.
const FOR_ZERO = 0.06

const log_scale = ({start, end, whole}) => {
  const least = start > 0 ? start : 1
  const room = start > 0 ? 0 : FOR_ZERO
  const span = Math.log(end / least) || 1
  const within = (value) => Math.max(start, Math.min(end, value))
  // Two digits can be told apart: a stop is a multiple of this.
  const unit = (value) => {
    const power = 10 ** (Math.floor(Math.log10(value) + 1e-9) - 1)
    return whole ? Math.max(1, power) : power
  }
  const tidy = (value) => Number(value.toPrecision(6))
  // Sizes double: a whole number may also stop at a power of two.
  const with_powers = (stop, power, choose) => whole ? choose(stop, power) : stop

  const place = (value) => value < least ? 0 : room + (1 - room) * Math.log(value / least) / span

  const nearest_stop = (value) => {
    const stop = tidy(Math.round(value / unit(value)) * unit(value))
    const power = 2 ** Math.round(Math.log2(value))
    return with_powers(stop, power, (...both) => Math.abs(both[0] - value) <= Math.abs(both[1] - value) ? both[0] : both[1])
  }

  return {
    // The share of the slider's length before a value.
    place: (value) => Math.max(0, Math.min(1, place(value))),
    // The stop that is nearest to a share of the length.
    value_at: (share) => share < room / 2 ? start
      : within(nearest_stop(least * Math.exp(span * Math.max(0, share - room) / (1 - room)))),
    // The stop after a value, and the one before it.
    after: (value) => value < least ? least
      : within(with_powers(tidy((Math.floor(value / unit(value) + 1e-9) + 1) * unit(value)),
        2 ** (Math.floor(Math.log2(value) + 1e-9) + 1), Math.min)),
    before: (value) => {
      if (value <= least) { return start }
      const below = unit(value * (1 - 1e-6))
      return within(with_powers(tidy((Math.ceil(value / below - 1e-9) - 1) * below),
        2 ** (Math.ceil(Math.log2(value) - 1e-9) - 1), Math.max))
    },
    // Half of a value, as far as it can be halved.
    halved: (value) => whole ? Math.floor(value / 2) : tidy(value / 2),
    within,
  }
}
