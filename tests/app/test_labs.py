"""The three labs under the hand: what a teacher does in class, and what the class then sees."""

import pytest

from tests.app.rest import come_to_rest


def test_dragging_the_forget_bias_to_zero_loses_the_count(visitor):
    visitor.open("?lab=brackets&preset=long-gap")
    assert visitor.readout("brackets.count_at_question") == pytest.approx(2.74, abs=0.02)
    assert visitor.readout("brackets.forget_product") == pytest.approx(0.9607, abs=5e-5)
    visitor.drag("Forget bias b", 2 / 12)
    visitor.type_number("Forget bias b", "0")
    visitor.wait_readout("brackets.forget_product", 2.0**-44)
    assert abs(visitor.readout("brackets.count_at_question")) < 1e-3
    shown = visitor.page.inner_text("[data-readout='brackets.forget_product']")
    assert shown == "5.68·10⁻¹⁴"
    assert "gone" in visitor.sentence()


def test_text_is_taken_at_each_key_and_markup_stays_text(visitor):
    visitor.open("?lab=brackets")
    field = visitor.page.get_by_role("textbox", name="Text to read")
    field.fill("")
    visitor.page.wait_for_timeout(300)
    field.press_sequentially("((<b>x</b>&amp;?", delay=20)
    visitor.wait_readout("brackets.count_at_question", 1.9, rel=0.02)
    assert visitor.page.locator("[data-lab='brackets'] b").count() == 0
    visitor.page.wait_for_url("**text=%28%28%3Cb%3Ex*")


def test_text_over_the_limit_is_cut_with_a_notice(visitor):
    visitor.open("?lab=brackets")
    field = visitor.page.get_by_role("textbox", name="Text to read")
    field.fill("(" * 250)
    visitor.see(".notices >> text=200 characters")
    assert len(field.input_value()) == 200


def test_too_long_a_text_in_the_address_is_cut_with_a_short_notice(visitor):
    visitor.open("?lab=brackets&forget_bias=5&text=" + "(" * 300)
    notice = visitor.page.inner_text(".notices >> visible=true")
    assert "200 characters" in notice
    assert len(notice) < 200
    assert visitor.readout("brackets.forget_gate") == pytest.approx(0.9933, abs=1e-4)


def test_playing_moves_the_cursor_and_its_arithmetic(visitor):
    visitor.open("?lab=brackets&preset=two-questions&cursor=1")
    arithmetic = visitor.page.locator("[data-arithmetic='brackets']")
    assert "step 1" in arithmetic.inner_text()
    visitor.page.click("[data-action='play']")
    visitor.page.wait_for_timeout(1800)
    visitor.page.click("[data-action='play']")
    step = int(visitor.typed("Cursor").input_value())
    assert step >= 3
    visitor.page.wait_for_timeout(300)
    assert f"step {step}" in arithmetic.inner_text()
    visitor.page.click("[aria-label='One step back']")
    visitor.page.wait_for_timeout(400)
    assert int(visitor.typed("Cursor").input_value()) == step - 1
    assert visitor.page.locator("[data-preset='two-questions']").get_attribute("aria-pressed") == "true"


def test_an_eigenvalue_is_followed_by_a_click_and_by_keyboard(visitor):
    visitor.open("?lab=jacobians&preset=shear-2&seed=0")
    visitor.typed("Eigenvalue followed").focus()
    visitor.page.keyboard.press("ArrowUp")
    visitor.page.wait_for_url("**component=1*")
    visitor.wait_readout("jacobians.component", 0.9**9)
    visitor.page.click("[data-action='reset']")
    plane = visitor.page.locator("[data-lab='jacobians'] .more figure .canvas").first
    plane.scroll_into_view_if_needed()
    visitor.page.wait_for_timeout(400)
    points = visitor.page.evaluate(
        """() => {
          const plot = [...Bokeh.documents[0]._all_models.values()].find((m) => m.type === 'Figure'
            && m.renderers.some((r) => r.data_source.name === 'eigenvalues'))
          const view = Bokeh.index.find_one(plot), data = plot.renderers.find(
            (r) => r.data_source.name === 'eigenvalues').data_source.data
          const box = view.el.getBoundingClientRect(), frame = view.frame
          return [...data.re].map((x, i) => [
            box.left + frame.x_scale.compute(x), box.top + frame.y_scale.compute([...data.im][i])])
        }"""
    )
    visitor.page.mouse.click(*points[3])
    visitor.page.wait_for_url("**component=*")


def test_the_comparison_is_made_at_input_scale_one_whatever_the_slider_says(visitor):
    visitor.open("?lab=jacobians&input_scale=3")
    table = visitor.page.locator("[data-lab='jacobians'] .comparison")
    table.locator("td").first.wait_for()
    text = table.inner_text()
    for shown in ("0.00515", "117", "6.28·10⁻¹²", "5.16·10⁻¹⁰", "2.42·10⁻⁸"):
        assert shown in text


def test_sigmoid_readouts_go_below_what_a_float_can_hold(visitor):
    visitor.open("?lab=jacobians&activation=sigmoid&spectral_radius=0.1&gap=200&k=200&input_scale=0")
    shown = visitor.page.inner_text("[data-readout='jacobians.activation']")
    assert shown == "3.53·10⁻³²¹"


@pytest.mark.parametrize(
    "query",
    [
        "?lab=jacobians&matrix=gaussian&size=64&gap=200&spectral_radius=1.5&input_scale=3",
        "?lab=jacobians&size=2&matrix=shear&activation=relu&start=0&gap=10",
        "?lab=jacobians&activation=linear&spectral_radius=1.5&gap=200",
        "?lab=brackets&text=",
        "?lab=brackets&text=%3F&forget_bias=-2&rnn_weight=0",
        "?lab=echo&weight=0&start=0&pulse=0&steps=100",
        "?lab=echo&weight=-2&activation=linear&steps=100",
    ],
)
def test_extreme_settings_leave_a_living_page(visitor, query):
    visitor.open(query, ready="[data-sentence]")
    assert visitor.sentence()
    assert "NaN" not in visitor.page.inner_text("[data-lab] >> visible=true")
    visitor.page.click("[data-action='fit'] >> visible=true")
    visitor.page.click("[data-action='pin'] >> visible=true")
    visitor.page.click("[data-action='reset'] >> visible=true")
    come_to_rest(visitor.page)
    assert visitor.page.locator("[data-readout] >> visible=true").count() > 3
