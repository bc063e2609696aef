"""A page that comes back after a cut connection pulls its document anew, which Bokeh reads without binary buffers."""

from tests.widgets.live_readings import act, each_lab


@each_lab
def test_a_document_is_one_message_also_with_pins(alive, kind):
    live = alive(kind)
    act(live, "pin")
    document = next(iter(live.view._models.values()))[0].document
    assert not document.to_json().buffers
