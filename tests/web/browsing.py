"""Somebody with a browser that runs no scripts: pages, forms and cookies."""

import html
import re
import time
from html.parser import HTMLParser
from typing import Any

import httpx

EVERY = {"sec-fetch-site": "same-origin", "accept": "text/html,application/xhtml+xml", "accept-language": "en"}


class Form(HTMLParser):
    """The forms of a page: for each where it goes, its hidden fields, and its buttons as (name, value)."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[dict[str, Any]] = []
        self.faults: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {key: value or "" for key, value in attrs}
        self.faults += [f"{tag} {key}" for key in found if key == "style" or key.startswith("on")]
        if tag == "script" and "src" not in found:
            self.faults.append("inline script")
        if tag == "form":
            self.forms.append({"action": found["action"], "hidden": {}, "buttons": []})
        elif tag == "input" and found.get("type") == "hidden":
            self.forms[-1]["hidden"][found["name"]] = found["value"]
        elif tag == "button" and "name" in found:
            self.forms[-1]["buttons"].append((found["name"], found["value"]))


class Browser:
    """One browser at a server, which has seen a page there; `table` is the address of the table that it sits at."""

    def __init__(self, url: str, language: str = "en") -> None:
        headers = EVERY | {"origin": url.rstrip("/"), "accept-language": language}
        self.http = httpx.Client(base_url=url, headers=headers, timeout=300, follow_redirects=True)
        self.http.cookies.set("cookies", "yes")
        self.table = ""

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str) -> str:
        answer = self.http.get(path)
        assert answer.status_code == 200, (answer.status_code, answer.text)
        return answer.text

    def post(self, path: str, status: int = 200, /, **fields: str) -> str:
        answer = self.http.post(path, data=fields)
        assert answer.status_code == status, (answer.status_code, answer.text)
        if answer.url.path.startswith("/t/"):
            self.table = answer.url.path
        return answer.text

    def look(self) -> str:
        return self.get(self.table)

    def form(self, action: str) -> dict[str, Any]:
        """The form of the table's page that goes to an address below it."""
        return self.form_of(self.look(), action)

    def form_of(self, page: str, action: str) -> dict[str, Any]:
        forms = [form for form in Form(page).forms if form["action"] == f"{self.table}/{action}" and form["buttons"]]
        assert forms, f"no form for {action}"
        return forms[0]

    def press(self, form: dict[str, Any], button: tuple[str, str], status: int = 200) -> str:
        return self.post(form["action"], status, **form["hidden"], **{button[0]: button[1]})


def finish(browsers: list[Browser], end: str = "hand_over") -> None:
    """Play by the API until the hand is over, or its match: uses before discards, which score nothing."""
    address = f"/api{browsers[0].table.replace('/t/', '/tables/')}"
    until = time.monotonic() + 300
    while time.monotonic() < until:
        for browser in browsers:
            seen = browser.http.get(address).json()
            if seen["status"] == end:
                return
            if seen["legal"]:
                move = {"move": seen["legal"][-1], "version": seen["version"]}
                browser.http.post(f"{address}/moves", json=move)
    raise AssertionError("the hand does not end")


def value(page: str, name: str) -> str:
    """What a table's page says of itself."""
    found = re.search(rf'data-{name}="([^"]*)"', page)
    assert found is not None, f"data-{name}"
    return html.unescape(found[1])


def log_of(page: str) -> list[str]:
    """The lines of the log of a page."""
    return [html.unescape(text) for text in re.findall(r'<li class="k-[^>]*>(.*?)</li>', page)]


def hand_of(page: str) -> list[str]:
    """The cards in the hand on a page, by their codes."""
    found = re.search(r'<fieldset id="hand".*?</fieldset>', page, re.DOTALL)
    return [] if found is None else re.findall(r"/static/cards/(\w+)\.svg", found[0])


def wait_asked(browser: Browser) -> str:
    """The page of the table once it asks for a move."""
    until = time.monotonic() + 300
    while value(page := browser.look(), "asked") != "turn":
        assert time.monotonic() < until
        time.sleep(0.05)
    return page
