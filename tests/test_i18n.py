import ast
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import millebornes
from millebornes.cards import Card
from millebornes.commands.table import BY_LETTER, Command
from millebornes.i18n import LANGUAGES, LOCALE, N_, choose_language, is_no, is_yes, language, translator, words
from millebornes.rulebook import clauses, preamble
from millebornes.rules.clauses import Reason
from millebornes.themes import THEMES, theme
from millebornes.tui.plain.commands import _plain

ROOT = Path(__file__).parents[1]


def test_english_is_the_text_itself() -> None:
    _ = translator("en")
    assert _("the hand is over") == "the hand is over"
    assert _.plural("{n} card", "{n} cards", 2) == "{n} cards"
    assert _.language == "en"


def test_french() -> None:
    _ = translator("fr")
    assert _("the hand is over") == "la manche est finie"
    assert _("never heard of it") == "never heard of it"
    assert _("Delete this game? You can't get it back.").startswith("Supprimer"), (
        "one that has a plural, asked for by itself"
    )
    assert _("") == "", "the catalogue's own header must not be shown"


def test_every_reason_is_translated() -> None:
    _ = translator("fr")
    for reason in Reason:
        assert _(reason.text) != reason.text


def test_marking_changes_nothing() -> None:
    assert N_("a text") == "a text"


def test_unknown_language() -> None:
    with pytest.raises(ValueError, match=r"there is no language 'nl'; the languages are en, .*fr"):
        translator("nl")


@pytest.mark.parametrize(
    ("asked", "environment", "expected"),
    [
        (None, {}, "en"),
        (None, {"LANG": "fr_FR.UTF-8"}, "fr"),
        (None, {"LANG": "fr"}, "fr"),
        (None, {"LANG": "fr_CA@euro"}, "fr"),
        (None, {"LANG": "nl_NL.UTF-8"}, "en"),
        (None, {"LC_MESSAGES": "fr_FR", "LANG": "en_GB"}, "fr"),
        (None, {"LC_ALL": "en_GB", "LC_MESSAGES": "fr_FR"}, "en"),
        (None, {"LC_ALL": "", "LANG": "fr_FR"}, "fr"),
        (None, {"LANGUAGE": "nl:fr:en", "LANG": "en_GB"}, "fr"),
        (None, {"LANGUAGE": "en:fr", "LANG": "fr_FR"}, "en"),
        (None, {"LANGUAGE": "fr", "LANG": "C"}, "en"),
        (None, {"LANGUAGE": "fr", "LC_ALL": "POSIX", "LANG": "fr_FR"}, "en"),
        (None, {"LANGUAGE": "fr"}, "fr"),
        ("fr", {"LANG": "en_GB"}, "fr"),
        ("en", {"LANG": "fr_FR"}, "en"),
        ("FR-ca", {}, "fr"),
        ("xx", {"LANG": "fr_FR"}, "fr"),
        (None, {"LANG": "french"}, "en"),
    ],
)
def test_choice_of_language(asked: str | None, environment: dict[str, str], expected: str) -> None:
    assert choose_language(asked, environment) == expected


def test_the_environment_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "fr_BE.UTF-8")
    assert choose_language() == "fr"


def test_every_folder_is_a_language() -> None:
    assert sorted(folder.name for folder in LOCALE.iterdir() if folder.is_dir()) == sorted(LANGUAGES)
    assert LANGUAGES[0] == "en"
    assert list(LANGUAGES[1:]) == sorted(LANGUAGES[1:])


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_says_what_is_peculiar_to_it(code: str) -> None:
    found = language(code)
    assert found.name.strip()
    assert len(found.decimal_mark) == 1
    used = set(BY_LETTER) - {"y", Command.ORDER.value.letter}
    assert re.fullmatch("[a-z]", found.yes_key), "a letter that every keyboard has"
    assert found.yes_key not in used, "a letter that is no other answer to a question"
    assert set(found.words) <= set(language("en").words), "words for what nobody asks for"
    for known in found.words.values():
        assert all(word == _plain(word) for word in known), "small letters without accents"


def test_no_word_stands_for_two_commands() -> None:
    meanings: dict[str, str] = {}
    for name in (*(command.action for command in Command), "call"):
        for word in words(name):
            assert meanings.setdefault(word, name) == name, word


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_word_of_another_language_hides_no_card(code: str) -> None:
    """A French "panne" is the beginning of a card; a German question of that word would take it away."""
    names = [card for found in map(theme, THEMES) if found.language == code for card in found.names.values()]
    own = {word for known in language(code).words.values() for word in known}
    for name in ("call", *(command.action for command in Command)):
        for word in words(name) - own - {"limit"}:
            assert not [card for card in names if _plain(card).split(" ")[0] == word], word


def test_yes_and_no_in_every_language() -> None:
    assert all(map(is_yes, ("y", "yes", "o", "oui")))
    assert all(map(is_no, ("n", "no", "non")))
    assert not any(is_yes(word) or is_no(word) for word in ("", "q", "d", "s", "x"))


# scripts/messages, tried on a copy of what it reads and writes


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with complete catalogues, whatever state the checkout itself is in."""
    pofile = pytest.importorskip("babel.messages.pofile")
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "messages", folder / "scripts" / "messages")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(millebornes.__file__).parent, folder / "src" / "millebornes", ignore=ignore)
    messages(folder)
    with catalogue(folder).open("rb") as stream:
        found = pofile.read_po(stream, locale="fr")
    for message in found:
        message.string = message.string if message.string and all(message.string) else message.id
    with catalogue(folder).open("wb") as stream:
        pofile.write_po(stream, found, width=118, include_lineno=False, sort_by_file=True)
    done = messages(folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def checkout(prepared: Path, tmp_path: Path) -> Path:
    return shutil.copytree(prepared, tmp_path / "checkout")


def messages(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(checkout / "scripts" / "messages"), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300)


def catalogue(checkout: Path) -> Path:
    return checkout / "src" / "millebornes" / "locale" / "fr" / "LC_MESSAGES" / "millebornes.po"


def edit(path: Path, change: Callable[[str], str]) -> None:
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, encoding="utf-8")


@pytest.mark.parametrize("code", [code for code in LANGUAGES if LOCALE.joinpath(code, "typography.toml").is_file()])
def test_what_is_outside_the_catalogue_has_its_spaces_and_apostrophes(code: str) -> None:
    themes = [found for found in map(theme, THEMES) if found.language == code]
    texts = [preamble(code), *(clause.markdown for clause in clauses(code))]
    texts += [form for found in themes for card in Card for form in (*found.forms_of(card), *found.aliases[card])]
    marks = tomllib.loads(LOCALE.joinpath(code, "typography.toml").read_text(encoding="utf-8"))
    for text in texts:
        prose = re.sub(r"`[^`]*`|^\|[-|:]+\|$", "X", text, flags=re.MULTILINE)
        for fault, pattern in marks.items():
            assert not re.search(pattern, prose), f"{fault}: {text}"


@pytest.mark.slow
def test_a_bad_catalogue_fails_the_check(checkout: Path) -> None:
    changes = {
        'msgid "the hand is over"': 'msgid "the hand is dead"',
        '"Attendez qu’on vous demande quelque chose."': '"Attendez !"',
        '"{goal}, sans allonge"': '"{but}, sans allonge"',
        '"défausser la carte n, par exemple D 5"': '""',
    }
    for old, new in changes.items():
        edit(catalogue(checkout), lambda text, old=old, new=new: text.replace(old, new))  # type: ignore[misc]
    done = messages(checkout, "--check")
    assert done.returncode == 1
    for complaint in (
        "'the hand is dead' is no longer used",
        "'the hand is over' is missing",
        "(U+202F) before",
        "a placeholder",
        "not translated",
        "millebornes.mo: not what millebornes.po says",
    ):
        assert complaint in done.stderr


OVER, GOAL, WAIT = "the hand is over", "{goal}, with no extension", "Wait until you're asked for something."


@pytest.mark.parametrize(
    ("text", "translated", "flags", "complaint"),
    [
        (OVER, "", "", "not translated"),
        (OVER, "la manche est finie", "fuzzy", "marked fuzzy"),
        (OVER, "la manche est finie ", "", "ends with a space"),
        (OVER, "« finie»", "", "inside « »"),
        (GOAL, "sans allonge", "", "lacks a placeholder"),
        (GOAL, "{but}, sans allonge", "", "a placeholder"),
        (GOAL, "{goal, sans allonge", "", "braces"),
        (WAIT, "Attendez !", "", "(U+202F) before"),
        (WAIT, "Attendez qu'on vous demande quelque chose.", "", "straight"),
        (WAIT, "Attendez qu’on vous demande …", "", "a space before …"),
        (WAIT, "Attendez qu’on vous demande", "", "another mark"),
        (
            WAIT,
            "Attendez qu’on vous demande un peAttendez qu’on vous demande un peu.",
            "",
            "the same twice: qu’on vous",
        ),
        ("discard card n, such as D 5", "défausser : la carte n, D 5", "", "(U+00A0) before"),
        ("discard card n, such as D 5", "défausser la carte n", "", "lacks a number"),
        ("discard card n, such as D 5", "D 5", "", "much shorter"),
    ],
)
def test_faults_of_a_translation(text: str, translated: str, flags: str, complaint: str) -> None:
    catalog = pytest.importorskip("babel.messages.catalog")
    script = runpy.run_path(str(ROOT / "scripts" / "messages"))
    message = catalog.Message(text, translated, flags=[flags] if flags else [])
    found = script["faults"](message, script["typography"]("fr"))
    assert any(complaint in fault for fault in found), found


@pytest.mark.once
def test_new_texts_are_collected_and_old_ones_are_dropped(checkout: Path) -> None:
    module = checkout / "src" / "millebornes" / "extra.py"
    module.write_text('_ = print\n_("Bon{x}")\nplural("{n} car", "{n} cars", 2)\n', encoding="utf-8")
    done = messages(checkout, "--check")
    assert done.returncode == 1
    assert "'Bon{x}' is missing; run scripts/messages" in done.stderr
    done = messages(checkout)
    assert done.returncode == 1, "there is something to translate"
    assert "'Bon{x}': not translated" in done.stderr

    translated = 'msgid "Bon{x}"\nmsgstr "Bien{x}"'
    edit(catalogue(checkout), lambda text: text.replace('msgid "Bon{x}"\nmsgstr ""', translated))
    edit(
        catalogue(checkout),
        lambda text: text.replace('msgstr[0] ""\nmsgstr[1] ""', 'msgstr[0] "une voiture"\nmsgstr[1] "{n} voitures"'),
    )
    done = messages(checkout)
    assert done.returncode == 0, done.stderr
    assert messages(checkout, "--check").returncode == 0

    module.unlink()
    assert messages(checkout).returncode == 0
    assert "Bien{x}" not in catalogue(checkout).read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_second_run_changes_nothing(checkout: Path) -> None:
    before = [path.read_bytes() for path in (catalogue(checkout), catalogue(checkout).with_suffix(".mo"))]
    done = messages(checkout)
    assert "wrote" not in done.stdout
    assert before == [path.read_bytes() for path in (catalogue(checkout), catalogue(checkout).with_suffix(".mo"))]


def test_no_text_is_marked_within_an_f_string() -> None:
    """Babel does not find it there before Python 3.12, and so it would stay English."""
    found = []
    for path in sorted((ROOT / "src" / "millebornes").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [call for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for call in ast.walk(node)]
        for call in calls:
            if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
                name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                if name in {"_", "N_", "plural"}:
                    found.append(f"{path.name}:{call.lineno}: {call.args[0].value!r}")
    assert found == []
