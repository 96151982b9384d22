"""The pages as a browser without scripts sees them: played, read, and held against what may be known."""

import dataclasses
import html
import json
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from millebornes.game import Action, FairShuffle
from millebornes.i18n import LANGUAGES, translator
from millebornes.player_names import HUMAN
from millebornes.session.game_session import GameSession
from millebornes.session.log import log_lines
from millebornes.storage import Preferences
from millebornes.table.facts import Closed, Created, Fact, HandDealt
from millebornes.table.log import fold
from millebornes.table.state import TableState
from millebornes.themes import THEMES, theme
from millebornes.web.pages.assets import Assets
from millebornes.web.pages.errors import error_text
from millebornes.web.pages.locale_text import PageWords
from millebornes.web.pages.tables import table_model
from millebornes.web.pages.templates import Templates
from millebornes.web.tables.errors import ApiError
from millebornes.words.activity import activity_lines, words_at
from tests.session.new_games import named_game
from tests.web.browsing import Browser, Form, hand_of, log_of, value, wait_asked
from tests.web.leaks import permuted
from tests.web.playing import Game, created
from tests.web.serving import Running, quick
from tests.web.test_table_state import played

ENGLISH = PageWords(translator("en"), theme())
FRENCH = PageWords(translator("fr"), theme())
EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("pages") / "tables.db", quick(window=10)) as running:
        yield running


def play_hand(browsers: list[Browser], end: str = "hand_over") -> None:
    """Play by forms until the hand is over, or its match; each takes the first button that its page offers."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        for browser in browsers:
            page = browser.look()
            if value(page, "status") == end:
                return
            if value(page, "asked"):
                form = browser.form_of(page, "moves")
                browser.http.post(form["action"], data={**form["hidden"], "move": form["buttons"][0][1]})
    raise AssertionError("the hand does not end")


def test_first_page(site: Running) -> None:
    """Light, safe by its policy, whole without scripts, in the reader's language."""
    with Browser(site.url) as browser:
        answer = browser.http.get("/")
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        weight = len(answer.content)
        with browser.http.stream("GET", "/") as raw:
            assert raw.headers["content-encoding"] == "gzip"
            weight = sum(map(len, raw.iter_raw()))
        for address in set(re.findall(r'"(/static/[^"]+|/manifest[^"]+)"', answer.text)):
            with browser.http.stream("GET", address) as raw:
                assert raw.status_code == 200, address
                weight += sum(map(len, raw.iter_raw()))
        assert weight < 150_000
        assert 'lang="en"' in answer.text
        assert not Form(answer.text).faults
        assert "Play the computer" in answer.text
        page = browser.post("/settings", language="fr", cards="rijwielspel", appearance="dark", back="/new")
        assert "Permettre de regarder la partie" in page
        assert 'data-appearance="dark"' in page
        assert "Boterham" not in page or "Brood" in page
        answer = browser.http.post("/settings", data={"back": "//evil.example/"}, follow_redirects=False)
        assert answer.headers["location"] == "/"
    with Browser(site.url, "fr-CA;q=0.9, nl, en;q=0.4") as browser:
        assert "Jouer contre l’ordinateur" in browser.get("/")


def test_a_hand_without_scripts(site: Running) -> None:
    """From the first page to the score sheet, the steps of the hand and the check of its deal, by forms alone."""
    with Browser(site.url) as browser:
        page = browser.post("/new", **{"place-1": "basic", "name": "Ann"})
        assert not Form(page).faults
        browser.post(f"{browser.table}/chat", text="hello")
        play_hand([browser])
        page = browser.look()
        assert "Hand Total" in page
        assert log_of(page)[-1].startswith("The hand is over")
        assert "You: hello" in log_of(page)
        steps = browser.get(f"{browser.table}/hands/1")
        last = int(re.findall(r"step=(\d+)", steps)[-1])
        assert last > 10
        shown = browser.get(f"{browser.table}/hands/1?step={last}")
        assert not Form(shown).faults
        deal = browser.get(f"{browser.table}/deals/1")
        assert "It matches the fingerprint." in deal
        assert "This matches the deck you played with." in deal
        transcript = browser.get(f"/api{browser.table.replace('/t/', '/tables/')}/transcript").splitlines()
        shuffle = FairShuffle.from_dict(json.loads(transcript[1])["shuffle"], 2)
        assert shuffle.server_seed.hex() in deal
        answer = browser.http.get(f"{browser.table}/hands/2")
        assert answer.status_code == 404
        assert "still being played" in answer.text


def test_friends(site: Running) -> None:
    """Opening an invitation seats nobody; the button does, once. Nobody's page holds another's cards."""
    with Browser(site.url) as ann, Browser(site.url) as bo, Browser(site.url) as spectator, Browser(site.url) as late:
        page = ann.post(
            "/new", **{"place-1": "open", "name": EVIL, "with": "friends", "spectators": "on", "window": "1"}
        )
        (link,) = re.findall(r'value="(http[^"]*/join/[^"]*)"', page)
        assert EVIL not in page
        for _ in range(2):
            assert "invited to play Mille Bornes" in bo.get(link)
        assert bo.http.head(link).status_code in {200, 405}
        assert "Waiting for players" in ann.look()
        assert "/join/" not in spectator.get(ann.table)
        bo.post(link, name="Bo")
        assert bo.table == ann.table
        assert "taken" in late.post(link, 409, name="Late")
        assert "Someone has already taken" in late.get(link)
        ann.post(f"{ann.table}/chat", text=EVIL)
        until = time.monotonic() + 300
        while value(page := bo.look(), "status") != "playing" and time.monotonic() < until:
            pass
        assert EVIL not in page
        assert "&lt;script&gt;" in page
        assert any(EVIL[:20] in line for line in log_of(page)), "it is shown as it was typed"
        hands = [hand_of(ann.look()), hand_of(bo.look())]
        assert [len(hand) for hand in hands].count(6) >= 1
        assert hand_of(spectator.get(ann.table)) == []
        stranger = spectator.http.post(f"{ann.table}/moves", data={"move": "pass", "version": "1"})
        assert stranger.status_code == 401


def test_what_is_refused(site: Running) -> None:
    """A sentence that says why, on a page or for the script that asks."""
    script = {"hx-request": "true"}
    with Browser(site.url) as browser:
        page = browser.post("/new", **{"place-1": "basic"})
        until = time.monotonic() + 300
        while value(page := browser.look(), "asked") != "turn" and time.monotonic() < until:
            pass
        form, table = browser.form_of(page, "moves"), browser.table
        kinds = ("100", "75", "50", "25", "200", "repairs", "gasoline", "spare_tire")  # one more than a hand holds
        missing = next(card for card in kinds if card not in hand_of(page))
        fields = form["hidden"] | {"move": missing}
        answer = browser.http.post(f"{table}/moves", data=fields, headers=script)
        assert answer.status_code == 422
        assert "(R2.5)" in answer.text
        assert "<html" not in answer.text
        assert "<html" in browser.post(f"{table}/moves", 422, **fields)
        old = form["hidden"] | {"version": "1", "move": form["buttons"][0][1]}
        answer = browser.http.post(f"{table}/moves", data=old, headers=script)
        said = "The game has moved on. Look at the table again before you play."
        assert (answer.status_code, answer.text.strip()) == (409, said)
        browser.http.cookies.set("language", "fr")
        french = [
            (422, "moves", fields, "Vous n’avez pas cette carte (R2.5)"),
            (409, "moves", old, "La partie a avancé entre-temps. Regardez la table avant de jouer."),
            (
                400,
                "moves",
                {"move": "25", "version": "x"},
                "Demande illisible. Rien n’a changé. Revenez en arrière et réessayez.",
            ),
            (409, "absent", {"seat": "1", "choice": "wait"}, "Cette personne est de retour."),
            (400, "chat", {"text": " "}, "Un message doit avoir au moins un caractère visible."),
        ]
        for status, where, said, text in french:
            answer = browser.http.post(f"{table}/{where}", data=said, headers=script)
            assert (answer.status_code, html.unescape(answer.text.strip())) == (status, text)
        browser.http.cookies.delete("language")
        early = ApiError(409, "too_early", "seat 1 may still come back", left=12_400)
        assert error_text(early, FRENCH).endswith("choisir dans 13\u00a0s.")
        foreign = browser.http.post(f"{table}/leave", headers={"origin": "https://evil.example"})
        assert foreign.status_code == 403
        assert "edition" in browser.post("/new", 400, edition="/etc/passwd")
        assert "shape" in browser.post("/new", 400, shape="²x2")
        for path in ("/nowhere", "/t/nowhere", "/join/nothing"):
            answer = browser.http.get(path)
            assert answer.status_code == 404
            assert "Home page" in answer.text
        assert browser.http.get("/nowhere", headers={"accept": "*/*"}).json()["error"] == "no_address"


def test_why_cards_cannot_be_played() -> None:
    """Every card of a hand whose turn it is can be played, or says why not with a clause."""
    seen = 0
    for seed in range(4):
        game = played("two", seed, 60)
        for seat in range(2):
            question = game.state.question(seat)
            if question is None:
                continue
            for card in table_model(game.state, seat, question, ENGLISH, time=0).hand:
                assert bool(card.plays) != bool(card.why_not), card
                assert card.plays or re.fullmatch(r"R\d\.\d+", card.clause)
                seen += 1
    assert seen


def pieces(templates: Templates, state: TableState, viewer: int | None, words: PageWords = ENGLISH) -> str:
    question = None if viewer is None else state.question(viewer)
    model = table_model(state, viewer, question, words, time=0)
    return templates.text("pieces.html", words, t=model, key="key", links=[], after=0)


def pages_of(templates: Templates, log: list[Fact], viewer: int | None) -> list[str]:
    """The pieces that a viewer is sent after each event since the last deal."""
    assert isinstance(log[0], Created)
    state = TableState(log[0])
    deal = max(n for n, event in enumerate(log) if isinstance(event, HandDealt))
    found = []
    for n, event in enumerate(log):
        state.apply(event)
        if n >= deal:
            found.append(pieces(templates, state, viewer))
    return found


def test_nobody_can_tell_who_is_asked() -> None:
    """R5.5: while a window is open, and after a coup fourré was let go, pages are as if nobody had held the safety."""
    templates, told_apart = Templates(Assets()), 0
    for seed in range(80):
        game = Game(created("me", "open", "open", edition="house"), seed)
        while game.state.window is None or game.state.question(game.state.deciding() or 0) is None:
            game.step()
        state = game.state
        assert state.match is not None
        for viewer in [None, *(seat for seat in range(3) if seat != state.deciding())]:
            other = permuted(game.log, state.match.hand, viewer, seed)
            states = [fold(game.log), fold(other)]
            if states[1].question(state.deciding() or 0) is not None:
                continue
            assert pieces(templates, states[0], viewer) == pieces(templates, states[1], viewer)
            for each in states:
                each.apply(Closed(at=10_000))
            if states[0].turn == viewer:
                continue  # it has drawn a card that changed its place
            assert pieces(templates, states[0], viewer) == pieces(templates, states[1], viewer)
            told_apart += 1
        if told_apart >= 12:
            break
    assert told_apart >= 12


@pytest.mark.once
@pytest.mark.parametrize("kind", ["two", "three", "partners"])
def test_nothing_hidden_is_on_a_page(kind: str) -> None:
    """With the hidden cards in other places, whatever anybody is sent is the same to the letter."""
    templates, compared = Templates(Assets()), 0
    for seed in range(5):
        game = played(kind, seed, 50 + 20 * seed)
        match = game.state.match
        if match is None or game.state.status != "playing":
            continue
        hand, log = match.hand, game.log
        while hand.move is not None and hand.move.action is Action.PASS:
            assert hand.parent is not None
            hand = hand.parent
        while isinstance(log[-1], Closed):
            log = log[:-1]
        for viewer in [None, *range(len(game.state.humans))]:
            other = permuted(log, hand, viewer, seed)
            assert pages_of(templates, log, viewer) == pages_of(templates, other, viewer)
            compared += 1
    assert compared


def _session_of(state: TableState) -> GameSession:
    """The same match in a terminal, at the same moment."""
    assert state.match is not None
    kinds = [HUMAN if human else place for place, human in zip(state.places, state.humans, strict=True)]
    names = state.match.players
    game = named_game(state.rules, kinds, names, state.created.match_target, "seed", Preferences(), practice=True)
    game = dataclasses.replace(game, match=state.match, number=state.number)
    session = GameSession(game, None, theme("english"), translator("en"))
    if state.window is None:
        session.settle()
    return session


@pytest.mark.parametrize("kind", ["two", "three", "computer"])
def test_the_log_is_that_of_the_plain_game(kind: str) -> None:
    """Line by line as the terminal games tell it, in order, each with a version of its own or that of its move."""
    compared = 0
    for seed in range(6):
        game = played(kind, seed, 60 + 40 * seed)
        state = game.state
        if state.match is None or state.status == "waiting":
            continue
        for viewer in (None, 0, 1):
            lines = activity_lines(state, viewer, ENGLISH)
            around = {"joined", "left", "away", "wait", "back", "time_out", "chat", "shuffle", "match_over"}
            mine = [line.text for line in lines if line.kind not in around]
            session = _session_of(state)
            logs = log_lines(session, viewer)[-1]
            named = dict(zip(session.participants.names, words_at(state, ENGLISH).participants.names, strict=True))
            pattern = re.compile("|".join(sorted(map(re.escape, named), key=len, reverse=True)))
            heading, *told = (
                pattern.sub(lambda found: named[found[0]], text)  # noqa: B023 # used at once
                for text in (logs.heading, *logs.lines)
            )
            wanted = [heading, *(text for text in told if "forfeits" not in text)]
            begins = max(n for n, text in enumerate(mine) if text == heading)
            assert mine[begins:] == wanted
            versions = [line.version for line in lines]
            assert versions == sorted(versions)
            compared += len(wanted)
    assert compared > 50


def test_every_page_in_every_language_and_theme() -> None:
    """No word is missing, and no markup comes from words."""
    templates = Templates(Assets())
    for state in (played("partners", 3, 70).state, played("computer", 1, 200).state):
        for name in THEMES:
            for language in LANGUAGES:
                page = pieces(templates, state, 0, PageWords(translator(language), theme(name)))
                assert not Form(page).faults
                assert theme(name).pile("battle") in page


def test_stream(site: Running) -> None:
    """Whoever listens gets the pieces of each version; what one seat does in private reaches that seat alone."""
    with Browser(site.url) as ann, Browser(site.url) as spectator, ThreadPoolExecutor() as pool:
        ann.post("/new", **{"place-1": "open", "name": "Ann"})
        version = int(value(ann.look(), "version"))

        refreshed = threading.Event()

        def listen(browser: Browser) -> list[str]:
            heard: list[str] = []
            with browser.http.stream("GET", f"{ann.table}/stream", params={"after": version}) as answer:
                assert answer.headers["content-type"].startswith("text/event-stream")
                assert "content-encoding" not in answer.headers
                for line in answer.iter_lines():
                    if line.startswith("id: "):
                        heard.append(line)
                    if browser is ann and heard:
                        refreshed.set()
                    if "Well" in line and "<li" in line:
                        break
            return heard

        mine, others = pool.submit(listen, ann), pool.submit(listen, spectator)
        service = site.service
        until = time.monotonic() + 300
        while service.counts()["streams"] < 2 and time.monotonic() < until:
            time.sleep(0.01)
        ann.post(f"{ann.table}/asking", ask="no")
        assert refreshed.wait(300)
        ann.post(f"{ann.table}/chat", text="Well")
        ids = [heard.result(300) for heard in (mine, others)]
        assert ids == [[f"id: {version}", f"id: {version + 1}"], [f"id: {version + 1}"]]
        assert "Well" in spectator.get(f"{ann.table}/part?after={version}")
        assert "Well" not in spectator.get(f"{ann.table}/part?after={version + 1}")


def test_guided_hand(site: Running) -> None:
    """Each lesson is answered by what it asks for; what does not lead on is answered in words and changes nothing."""
    with Browser(site.url) as browser:
        page, called = browser.get("/guide"), False
        for _ in range(40):
            forms = [form for form in Form(page).forms if form["action"] == "/guide" and form["buttons"]]
            if not forms:
                break
            for name, move in forms[-1]["buttons"] if forms[-1]["buttons"] else ():
                again = browser.http.get("/guide", params={**forms[-1]["hidden"], name: move}).text
                if 'role="alert"' not in again:
                    called = called or move.endswith("!")
                    page = again
                    break
            else:
                raise AssertionError("no way on")
        assert called
        assert "Play a real game" in page
        assert "Trip Completed" in page
        assert browser.http.get("/guide?made=200").status_code == 400


def test_a_table_of_the_lobby(site: Running) -> None:
    """It stands on the first page until it is full; phrases are told in the language of whoever reads them."""
    with Browser(site.url) as ann, Browser(site.url, "fr") as bo:
        ann.post("/new", **{"with": "friends", "place-1": "open", "name": "Ann", "window": "7", "open": "on"})
        offered = next(form for form in Form(bo.get("/")).forms if form["action"].startswith("/lobby/"))
        bo.post(offered["action"], name="Bo")
        assert bo.table == ann.table
        assert f"/lobby/{ann.table.removeprefix('/t/')}" not in ann.get("/")
        ann.post(f"{ann.table}/chat", phrase="good_luck")
        assert "Ann : Bonne chance !" in html.unescape(bo.look())


def test_forms_shown_again_keep_what_was_chosen(site: Running) -> None:
    chosen = {
        "with": "friends",
        "name": "\u200b",
        "shape": "4x4",
        "place-1": "open",
        "place-2": "champion",
        "place-3": "beginner",
        "edition": "house",
        "target": "",
        "window": "15",
        "clock": "300+5",
        "open": "on",
    }
    with Browser(site.url) as ann, Browser(site.url) as bo:
        for spectators in ({}, {"spectators": "on"}):
            page = ann.post("/new", 400, **chosen, **spectators)
            assert "A name needs at least one visible character" in page
            assert ('name="spectators" checked' in page) == bool(spectators)
            assert 'name="open" checked' in page
            for value in ("4x4", "champion", "beginner", "", "15", "300+5"):
                assert f'value="{value}" selected' in re.sub(r' title="[^"]*"', "", page), value
            assert 'value="house" checked' in page
        ann.post("/new", **{**chosen, "name": "Ann", "place-1": "open"})
        (action,) = {form["action"] for form in Form(bo.get("/")).forms if form["action"].endswith(ann.table[3:])}
        page = bo.post(action, 400, name="\u2800")
        assert "A name needs at least one visible character" in page
        assert action in page


def test_friends_need_a_name(site: Running) -> None:
    """The server says so, in the page and in its language; whoever plays a computer needs none."""
    with Browser(site.url) as ann:
        for name in ("", "  "):
            page = ann.post("/new", 400, **{"with": "friends", "place-1": "open", "name": name, "window": "7"})
            assert "A name needs at least one visible character" in page
            assert 'aria-invalid="true" aria-describedby="problem"' in page
            assert '<details class="more">' in page, "the fault is not among the other settings"
        assert "required" not in page.replace("aria-required", ""), "or a browser would say it in its own way"
        ann.post("/new", **{"place-1": "random", "name": ""})
        assert ann.table


def test_signs_on_a_board_are_spelled_out(site: Running) -> None:
    with Browser(site.url) as ann:
        ann.post("/new", **{"place-1": "casual"})
        page = wait_asked(ann)
        assert 'title="Extra Tank"><svg class="sign"' in page
        assert re.search(r"Not played yet:.* Extra Tank ·", page)
        assert '<span class="level">Easy</span>' in page


def test_a_seat_moves_to_another_browser(site: Running) -> None:
    """By a private link that works once, and by its button alone."""
    with Browser(site.url) as old, Browser(site.url) as new:
        old.post("/new", **{"place-1": "random", "name": "Ann", "clock": "300+5"})
        assert "5:00" in old.look()
        table = old.table
        shown = old.post(f"{table}/resume-link")
        old.table = table  # that was a page of its own
        link = next(text for text in re.findall(r'value="([^"]+)"', shown) if "/resume/" in text)
        path = link.removeprefix(site.url.rstrip("/"))
        assert new.get(path)
        assert "watching." not in old.look()
        new.post(path)
        assert new.table == old.table
        assert "watching." in old.look()
        assert "watching." not in new.look()
        assert "watching." not in new.get(path), "led to the seat"
        assert old.http.get(path).status_code == 404


def test_the_rules_are_a_page(site: Running) -> None:
    """Each clause has its place, by its number; each edition says what it plays."""
    from millebornes.editions import EDITIONS
    from millebornes.rulebook import clauses

    for language in LANGUAGES:
        with Browser(site.url, language) as browser:
            page = browser.get("/rules")
            assert [part.number for part in clauses(language) if f'id="{part.number}"' not in page] == []
            assert "/static/cards/puncture_proof.svg" in page
            assert not Form(page).faults
    with Browser(site.url) as browser:
        pages = {name: browser.get(f"/rules/{name}") for name in EDITIONS}
        assert len(set(pages.values())) == len(EDITIONS)
        assert browser.http.get("/rules/nonsense").status_code == 404


def test_a_refusal_leads_to_its_clause(site: Running) -> None:
    with Browser(site.url) as browser:
        browser.post("/new", **{"place-1": "basic", "name": "Ann"})
        until = time.monotonic() + 300
        while not (found := re.search(r'class="say why">.*?href="/rules#(R[0-9.]+)"', page := browser.look())):
            assert time.monotonic() < until, page
            form = browser.form_of(page, "moves") if value(page, "asked") else None
            if form is not None:
                browser.press(form, form["buttons"][0])
        assert f'id="{found[1]}"' in browser.get("/rules")


def test_a_browser_finds_back_to_its_games(site: Running) -> None:
    """The home page lists them, and remembers the name; another browser sees none."""
    with Browser(site.url) as ann, Browser(site.url) as other:
        ann.post("/new", **{"place-1": "basic", "name": "Ann"})
        first = ann.table
        ann.post("/new", **{"with": "friends", "name": "Ann", "place-1": "open"})
        home = ann.get("/")
        assert home.count('class="g"') == 2
        assert f'href="{first}"' in home
        assert f'href="{ann.table}"' in home
        assert 'value="Ann"' in ann.get("/new?with=friends")
        assert 'class="g"' not in other.get("/")
        other.http.cookies.set(f"seat-{first.rpartition('/')[2]}", "nonsense")
        assert 'class="g"' not in other.get("/"), "a token is needed"


def test_each_way_from_the_home_page_is_offered_once(site: Running) -> None:
    """Three of them are buttons with signs that the page holds."""
    with Browser(site.url) as ann:
        page = ann.get("/")
    start = page[page.index('<div class="ways">') : page.index('class="also"') + 1000]
    for address in ("/new?with=friends", "/guide", "/practice", "/rules", "/upload", "/new"):
        assert start.count(f'href="{address}"') == 1, address
    for sign in ("friends", "find", "learn"):
        assert f'href="#sign-{sign}"' in start
        assert f'id="sign-{sign}"' in page


def test_free_seats_go_to_computers_and_back(site: Running) -> None:
    """By whoever created the table, before the first deal."""
    with Browser(site.url) as ann, Browser(site.url) as bo:
        ann.post("/new", **{"with": "friends", "name": "Ann", "shape": "3x3", "place-1": "open", "place-2": "open"})
        address = f"{ann.table}/seats"
        page = ann.post(address, seat="1", place="basic")
        assert "2 of 3 seats taken" in page
        assert "1 of 3 seats taken" in ann.post(address, seat="1", place="open")
        bo.post(address, 401, seat="1", place="basic")
        ann.post(address, 400, seat="1", place="nonsense")
        ann.post(address, seat="1", place="basic")
        ann.post(address, seat="2", place="basic")
        until = time.monotonic() + 300
        while value(ann.look(), "status") != "playing":
            assert time.monotonic() < until
            time.sleep(0.05)
        ann.post(address, 409, seat="2", place="open")
        ann.post(
            "/new",
            **{"with": "friends", "name": "Ann", "shape": "4x4"}
            | dict.fromkeys(("place-1", "place-2", "place-3"), "open"),
        )
        ann.post(f"{ann.table}/seats", seat="all", place="basic")
        while value(ann.look(), "status") != "playing":
            assert time.monotonic() < until
            time.sleep(0.05)
