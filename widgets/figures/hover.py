"""Exact values under the pointer, in the page's own type and colours.

Bokeh prints “NaN” for a gap and asks no formatter. Here every value is looked up by the point's index, so that
a gap is named like any other value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bokeh.models import CustomJSHover, GlyphRenderer, HoverTool, Model
from bokeh.plotting import figure

from widgets.base.formula import formula_html

SUPERSCRIPT_JS = """
const power = (n) => "10" + String(n).replace(/[-0-9]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
"""
_LOOK_UP_JS = (
    SUPERSCRIPT_JS
    + """
const at = (column) => source.data[column][value];
const from_log10 = (log10) => {
  if (Math.abs(log10) > 300) return power(Math.round(log10));
  const plain = 10 ** log10;
  if (plain >= 1e-3 && plain < 999.5) return plain.toPrecision(3);
  if (plain >= 1000 && plain < 1e5) return plain.toFixed(0);
  const exponent = Math.floor(log10);
  return (10 ** (log10 - exponent)).toFixed(2) + "·" + power(exponent);
};
const it = at(format);
const shown = {%s};
return Number.isNaN(it) ? nothing[format] : shown[format]();
"""
)
_TOOLTIP = (
    '<div style="font: 16px/1.4 var(--font); color: var(--ink); background: var(--paper); padding: 4px 8px; '
    'white-space: nowrap">{}</div>'
)
PLAIN = "`${it}`"
EXACT = "it.toFixed(6).replace('-', '−')"


@dataclass(frozen=True)
class Row:
    """One line of a tooltip: `shown` is JavaScript for the text of `it`, the column's value at the point.

    `at(column)` is another column's value there; `nothing` stands where the value is a gap.
    """

    label: str
    column: str
    shown: str = PLAIN
    nothing: str = "none"


def log_row(label: str, column: str) -> Row:
    """A row for a column of decimal logarithms, which prints the number itself."""
    return Row(label, column, "from_log10(it)", "zero, or not finite")


def count_row(label: str, column: str) -> Row:
    """The same for counts, which are printed to the last digit as long as they can be read."""
    shown = "it < 9 ? Math.round(10 ** it).toLocaleString('en') : from_log10(it)"
    return Row(label, column, shown, "none")


def add_hover(
    plot: figure,
    renderer: GlyphRenderer,
    rows: Sequence[Row],
    mode: str = "vline",
    arguments: Mapping[str, Model] | None = None,
) -> None:
    """Show `rows` for the points of `renderer`; `arguments` are further models that the rows' JavaScript names."""
    lines = "".join(f"<div>{formula_html(row.label)} <b>$index{{{row.column}}}</b></div>" for row in rows)
    shown = ", ".join(f"{row.column}: () => {row.shown}" for row in rows)
    look_up = CustomJSHover(
        code=_LOOK_UP_JS % shown,
        args={
            "source": renderer.data_source,
            "nothing": {row.column: row.nothing for row in rows},
            **(arguments or {}),
        },
    )
    hover = HoverTool(
        renderers=[renderer], tooltips=_TOOLTIP.format(lines), formatters={"$index": look_up}, mode=mode,
        visible=False, attachment="above",
    )  # fmt: skip
    plot.add_tools(hover)
