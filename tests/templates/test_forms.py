"""Django's forms in our look: labels, help and errors that belong to their field."""

from __future__ import annotations

from django import forms
from lxml import html

from tests.gallery_urls import SampleForm


def render(form: forms.Form) -> html.HtmlElement:
    """Return the form as a page shows it with ``{{ form }}``."""
    return html.fromstring(f"<form>{form.render()}</form>")


def test_every_visible_field_has_a_label() -> None:
    tree = render(SampleForm())
    labelled = {label.get("for") for label in tree.iter("label")}
    for field in tree.xpath("//input | //select | //textarea"):
        assert field.get("id") in labelled


def test_ids_are_unique() -> None:
    ids = render(SampleForm({})).xpath("//@id")
    assert sorted(ids) == sorted(set(ids))


def test_help_and_errors_are_announced_with_their_field() -> None:
    tree = render(SampleForm({}))
    name = tree.get_element_by_id("id_name")
    assert name.get("aria-invalid") == "true"
    described = name.get("aria-describedby").split()
    assert described == ["id_name_helptext", "id_name_error"]
    texts = [tree.get_element_by_id(item).text_content() for item in described]
    assert texts == ["Shown to everyone in the project.", "This field is required."]


def test_the_summary_links_each_error_to_something_on_the_page() -> None:
    tree = render(SampleForm({"mail": "not an address"}))
    links = tree.xpath("//*[@role='alert']//a")
    assert [link.text for link in links] == [
        "Name",
        "Mail",
        "Protocol",
        "What later annotators see",
        "I have read the guidelines",
    ]
    for link in links:
        assert tree.get_element_by_id(link.get("href").removeprefix("#")) is not None


def test_a_good_form_has_no_summary() -> None:
    assert render(SampleForm()).xpath("//*[@role='alert']") == []


def test_optional_fields_say_so_and_labels_end_without_a_colon() -> None:
    tree = render(SampleForm())
    words = {
        label.get("for"): " ".join(label.text_content().split())
        for label in tree.iter("label")
    }
    assert words["id_name"] == "Name"
    assert words["id_mail"] == "Mail optional"


def test_a_hidden_field_is_hidden_and_unlabelled() -> None:
    class WithHidden(forms.Form):
        token = forms.CharField(widget=forms.HiddenInput)

    tree = render(WithHidden({"token": "x"}))
    (field,) = tree.xpath("//input")
    assert (field.get("type"), field.get("class")) == ("hidden", None)
    assert tree.xpath("//label") == []


def test_an_own_class_of_a_widget_is_kept() -> None:
    class WithClass(forms.Form):
        title = forms.CharField(widget=forms.TextInput(attrs={"class": "num"}))

    assert render(WithClass()).xpath("//input/@class") == ["num"]


def test_errors_of_the_whole_form_stand_in_the_summary() -> None:
    form = SampleForm({})
    form.add_error(None, "Two projects cannot share a name.")
    summary = render(form).xpath("//*[@role='alert']")[0].text_content()
    assert "Two projects cannot share a name." in summary


def test_text_of_people_is_escaped() -> None:
    page = SampleForm({"name": "<b>", "rule": "</textarea><script>"}).render()
    assert "&lt;/textarea&gt;&lt;script&gt;" in page
    assert "<b>" not in page
