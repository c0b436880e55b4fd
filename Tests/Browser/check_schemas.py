"""Schemas of items: the fields of an expression are completed while one types, and an unknown one is reported."""

from selenium.webdriver.common.keys import Keys

from browser import expect, until

ITEM = {"type": "object", "properties": {
    "price": {"type": "number"}, "previous": {"type": "number"}, "name": {"type": "string"},
    "owner": {"type": "object", "properties": {"name": {"type": "string"}}}}}
FIELD = "[data-operator='filter'] [data-parameter='expression']"
LIST = "[data-operator='filter'] .choices.below"


def fields_are_completed_by_keys(page):
    page.schemas = page.hub.create(name="Schemas", item=ITEM, source={"never": {}}, operators=[
        {"id": "some", "filter": {"expression": "true"}}, {"id": "two", "pairwise": {}},
        {"id": "out", "map": {"expression": "x"}}])
    page.open(page.schemas)
    field = page.find(FIELD)
    expect(field.get_attribute("role") == "combobox", "the field is not a combobox")
    page.fill(FIELD, "x.pr")
    page.wait(lambda: page.texts(f"{LIST} li") == ["previous", "price"], lambda: f"the fields: {page.texts(f'{LIST} li')}")
    expect(field.get_attribute("aria-expanded") == "true", "the field does not say that there is a list")
    field.send_keys(Keys.ARROW_DOWN)
    active = page.run("return document.getElementById(arguments[0].getAttribute('aria-activedescendant')).textContent",
        field)
    expect(active == "price", f"the active choice is {active}")
    page.picture("fields")
    field.send_keys(Keys.ENTER)
    expect(field.get_attribute("value") == "x.price", f"the field has {field.get_attribute('value')}")
    expect(not page.is_shown(LIST) and field.get_attribute("aria-expanded") == "false", "the list is still shown")
    expect(page.hub.revision(page.schemas) == 1, "the key that chooses has stored the edit")
    field.send_keys(" > 1.0 && x.owner.")
    page.wait(lambda: page.texts(f"{LIST} li") == ["name"], lambda: f"the fields: {page.texts(f'{LIST} li')}")
    field.send_keys(Keys.ESCAPE)
    page.wait(lambda: not page.is_shown(LIST), "the end of the list")


def a_field_is_chosen_with_the_pointer(page):
    field = "[data-operator='map'] [data-parameter='expression']"
    page.fill(field, "x[1].na")
    page.wait(lambda: page.texts("[data-operator='map'] .choices.below li") == ["name"], "the fields of an element")
    page.click("[data-operator='map'] .choices.below li")
    expect(page.find(field).get_attribute("value") == "x[1].name", "the field has not what was chosen")


def an_unknown_field_is_reported_at_its_place(page):
    page.fill(FIELD, "x.prise > 1.0").send_keys(Keys.ENTER)
    page.wait(lambda: "did you mean price?" in page.text("[data-operator='filter'] .form-expression .error"),
        "the error under the field")
    expect(page.hub.revision(page.schemas) == 1, "a document with an error was stored")
    page.fill(FIELD, "x.price > 1.0").send_keys(Keys.ENTER)
    until(lambda: page.hub.revision(page.schemas) > 1 or page.find("#apply").is_enabled(), "the end of the error")


CHECKS = [fields_are_completed_by_keys, a_field_is_chosen_with_the_pointer, an_unknown_field_is_reported_at_its_place]
