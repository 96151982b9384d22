"""Changes to the rules: each setting of the edition is a sentence that the player can change."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from millebornes.editions import FIELDS, parse_setting
from millebornes.editions.fields import Field, write_setting
from millebornes.errors import EditionError
from millebornes.table.setup import GameSetup
from millebornes.tui.full.screens.popups import AskScreen, PickScreen, Popup
from millebornes.tui.full.screens.start_texts import OTHER
from millebornes.tui.full.widgets.form import StartOption, StartOptions
from millebornes.words.rules import SENTENCES, describe, value_of
from millebornes.words.words import Words

NAMES: Final = tuple(FIELDS)


class RulesScreen(Popup[Mapping[str, Any]]):
    """The settings of a game, with the cards named as in the theme ``cards``.

    The result is the changes to the edition as data, or None if the screen was closed.

    The mark ✎ shows that a setting differs from the edition.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "close", show=False),
        Binding("f5,d", "done", show=False),
    ]

    KEYS: ClassVar[str] = "#rules-list"

    def __init__(self, setup: GameSetup, words: Words) -> None:
        super().__init__()
        self.setup = setup
        self._words = words
        self._ = words.translate

    def compose(self) -> ComposeResult:
        """Lay out the sentences, the allowed values, and the buttons."""
        _ = self._
        with Vertical(id="rules", classes="window") as window:
            window.border_title = _("Changes to the rules")
            window.border_subtitle = _("Enter: change · D: done · Esc: back")
            yield StartOptions(*self._options(), id="rules-list", markup=False)
            yield Static("", id="rules-about", markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Done (D)"), id="rules-done", compact=True)
                yield Button(_("Same as the edition"), id="rules-reset", compact=True)
                yield Button(_("Back (Esc)"), id="rules-back", classes="back", compact=True)

    def _options(self) -> list[Option]:
        changed = self.setup.settings
        found = describe(self.setup.rules, self._words)
        sentences = {sentence.field: sentence for sentence in found}
        return [
            Option(f"{'✎' if name in changed else '·'} {sentences[name].text} ({sentences[name].clause})")
            for name in NAMES
        ]

    @on(OptionList.OptionHighlighted, "#rules-list")
    def _tell(self, event: OptionList.OptionHighlighted) -> None:
        field = FIELDS[NAMES[event.option_index]]
        self._say(self._("{head}: {text}").format(head=field.name, text=self._summary(field)))

    def _summary(self, field: Field) -> str:
        return self._words.theme.worded(self._(field.summary))

    def _say(self, text: str, *, wrong: bool = False) -> None:
        about = self.query_one("#rules-about", Static)
        about.set_class(wrong, "error")
        about.update(f"✗ {text}" if wrong else text)

    @on(OptionList.OptionSelected, "#rules-list")
    def _change(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        name, _ = NAMES[event.option_index], self._
        choices = self._choices(name)
        now = self._value(name)
        plain = [choice for choice in choices if not choice.special]
        if len(choices) == 2 == len(plain) and now in {choice.value for choice in plain}:
            self._set(name, next(choice.value for choice in plain if choice.value != now))
        elif not plain:
            self._ask(name)
        else:

            def chosen(choice: StartOption | None) -> None:
                if choice is None:
                    return
                if choice.special:
                    self._ask(name)
                else:
                    self._set(name, choice.value)

            self.app.push_screen(PickScreen(self._summary(FIELDS[name]), choices, now, _), chosen)

    def _value(self, name: str) -> str:
        return write_setting(value_of(self.setup.rules, name))

    def _choices(self, name: str) -> list[StartOption]:
        """Return the values for which the setting has a sentence. All other values share a special choice."""
        _, rules = self._, self.setup.rules
        found = []
        for key, text in SENTENCES[name].items():
            if key in {"any", "own"}:
                found.append(StartOption(OTHER, _("another value…"), special=True))
                continue
            try:
                changed = describe(rules.replace({name: key}), self._words)
                shown = next(sentence.text for sentence in changed if sentence.field == name)
            except EditionError:  # this value contradicts another setting; choosing it shows the explanation
                shown = self._words.theme.worded(_(text))
            found.append(StartOption(write_setting(key), shown))
        return found

    def _ask(self, name: str) -> None:
        field = FIELDS[name]

        def check(text: str) -> str:
            try:
                self._changed(name, text)
            except EditionError as error:
                return f"{error}."
            return ""

        def answered(text: str | None) -> None:
            if text is not None:
                self._set(name, text)

        title = f"{self._summary(field)} ({field.clause})"
        what = self._("{head}: {text}").format(head=name, text=field.allowed)
        value = "" if name == "deck" else self._value(name)
        self.app.push_screen(AskScreen(title, what, self._, check=check, value=value), answered)

    def _changed(self, name: str, text: str) -> GameSetup:
        setting = {name: parse_setting(f"{name}={text}")[1]}
        return self.setup.with_settings({**self.setup.settings, **setting})

    def _set(self, name: str, text: str) -> None:
        try:
            self.setup = self._changed(name, text)
        except EditionError as error:
            self.app.bell()
            self._say(f"{error}.", wrong=True)
            return
        self._show_again()

    def _show_again(self) -> None:
        sentences = self.query_one("#rules-list", OptionList)
        place = sentences.highlighted
        sentences.clear_options()
        sentences.add_options(self._options())
        sentences.highlighted = place

    @on(Button.Pressed, "#rules-reset")
    def _reset(self) -> None:
        self.setup = self.setup.with_settings({})
        self._show_again()

    @on(Button.Pressed, "#rules-done")
    def _action_done(self) -> None:
        self.dismiss(self.setup.settings)
