// A click that would throw something away asks first; a second one does it, unless it comes too late or too soon.

const ASKING = 8000
const DOUBLE_CLICK = 500

// `show` is called when what is asked for changes.
function asker(show) {
  let asked = null, since = 0, timer = null
  const take_back = () => {
    clearTimeout(timer)
    if (asked != null) {
      asked = null
      show()
    }
  }
  const ask = (name) => {
    clearTimeout(timer)
    timer = setTimeout(take_back, ASKING)
    asked = name
    since = performance.now()
    show()
  }
  // Whether a click on this button is to be answered now.
  const agreed = (name, question) => {
    if (question && asked !== name) {
      ask(name)
      return false
    }
    if (question && performance.now() - since < DOUBLE_CLICK) { return false }
    take_back()
    return true
  }
  const asks = (name) => asked === name
  // The attributes by which a button gives up asking, without a click.
  const ways_back = (name) => ({
    onblur: () => { if (asks(name)) { take_back() } },
    onkeydown: (event) => {
      if (event.key !== "Escape" || !asks(name)) { return }
      take_back()
      event.stopPropagation()
    },
  })
  // Neither a button that asks nor its neighbours move.
  const mark = (node, name) => {
    node.style.minWidth = asks(name) ? node.style.minWidth || `${node.offsetWidth}px` : ""
    node.classList.toggle("asking", asks(name))
  }
  return {agreed, take_back, asks, ways_back, mark}
}
