// What a hand types where a number is wanted.

// A number without an exponent, and without the last digits of a sum of steps.
const written_out = (number) => number.toFixed(10).replace(/[.]?0+$/, "")

// The number that a text stands for, or NaN. Of a whole number a comma before three digits parts thousands, as where the
// page writes them; any other comma is a decimal one.
function number_in(text, whole) {
  const plain = text.trim().replace("−", "-")
  if (whole && /^[-+]?[0-9]{1,3}(,[0-9]{3})+$/.test(plain)) { return Number(plain.replaceAll(",", "")) }
  return /^[-+]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[-+]?[0-9]+)?$/i.test(plain) ? Number(plain.replace(",", ".")) : NaN
}

// The nearest number that a control takes, and whether another was meant.
function taken_of(number, {start, end, whole}) {
  const within = Math.max(start, Math.min(end, number))
  const taken = whole ? Math.round(within) : Number(within.toFixed(10))
  return [taken, Math.abs(taken - number) > 1e-9]
}
