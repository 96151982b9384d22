"""Practice on the web: the shipped exercises, the mistakes of a hand, and hands that are played on."""

import datetime
import random
import re
import time
from collections.abc import Iterator

import pytest

from millebornes import Match, make_rules
from millebornes.analysis.exercises.exercise_sets import exercise_line, shipped_exercises
from millebornes.analysis.exercises.practice_session import waiting
from millebornes.analysis.exercises.schedule import Boxes
from millebornes.editions import Rules
from millebornes.game import Hand, InformationState, Phase
from millebornes.storage.practise import Answer
from millebornes.table.commands import deal_from
from millebornes.table.facts import Closed
from millebornes.table.state import TableState
from millebornes.web.pages.browser_progress import MAX_KEPT, MAX_RIGHT, BrowserProgress
from millebornes.web.tables.seat_registry import hash_of
from tests.web.browsing import Browser, Form, finish, hand_of, wait_asked
from tests.web.playing import created
from tests.web.serving import Running, quick
from tests.web.test_pages import play_hand

NOON = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    settings = quick(window=10, review_worlds=(256, 4))
    with Running(tmp_path_factory.mktemp("practice") / "tables.db", settings) as running:
        yield running


def owner(browser: Browser) -> str:
    """What the database knows a browser by: the hash of its cookie without the signature."""
    return hash_of(browser.http.cookies["browser"].partition(".")[0])


def buttons(page: str, ending: str = "") -> list[str]:
    """The moves that a page offers in forms whose address ends so."""
    forms = [form for form in Form(page).forms if form["action"].endswith(ending)]
    return [text for form in forms for name, text in form["buttons"] if name == "move"]


def test_the_shipped_exercises(site: Running) -> None:
    """Each is asked with all its moves; an answer is judged, remembered, and not asked again before its time."""
    with Browser(site.url) as ann:
        asked = []
        for exercise in shipped_exercises()[:3]:
            answer = ann.http.get("/practice")
            assert answer.url.path == f"/practice/{exercise.id}"
            assert {*buttons(answer.text)} - {""} == {move.text for move in exercise.view.legal_moves}
            assert hand_of(answer.text) == [card.value for card in sorted(exercise.view.hand, key=_order)]
            told = ann.post(str(answer.url.path), move=exercise.best.text)
            assert "Right!" in told
            assert "in 1 day" in told
            assert " wanted" in told or exercise.best.card is None
            asked.append(exercise.id)
        assert len(set(asked)) == 3
        third = shipped_exercises()[3]
        worst = third.moves[-1].move
        assert "Not quite: " in ann.post(f"/practice/{third.id}", move=worst.text)
        assert "The best move" in ann.post(f"/practice/{third.id}", move="")
        assert "4 of 105 answered" in ann.get(f"/practice/{third.id}")
        ann.post(f"/practice/{third.id}", 400, move="200!")
        ann.post(f"/practice/{third.id}", 400, move="nonsense")
        assert ann.http.get("/practice/0123").status_code == 404
        assert ann.http.get(f"/practice/{third.id}?answer=nonsense").status_code == 400


def _order(card: object) -> int:
    from millebornes.cards import Card

    return list(Card).index(card)  # type: ignore[arg-type]


def test_all_are_answered(site: Running) -> None:
    progress = BrowserProgress()
    for exercise in shipped_exercises():
        progress.record(exercise.id, Answer(datetime.datetime.now(datetime.UTC), True))
    with Browser(site.url) as ann:
        ann.http.cookies.set("practice", progress.text)
        page = ann.get("/practice")
        assert "The next one is due in 1 day." in page
        assert ann.http.get("/practice?all=1").url.path == f"/practice/{shipped_exercises()[0].id}"
        ann.http.cookies.set("practice", progress.text + "?")  # a damaged one counts as none
        assert ann.http.get("/practice").url.path == f"/practice/{shipped_exercises()[0].id}"


def test_progress_in_a_cookie() -> None:
    """What boxes need comes back from the text: right answers in a row, and the minute of the latest one."""
    progress = BrowserProgress()
    for right in (True, False, True, True):
        progress.record("abcdef0123456789", Answer(NOON, right))
    again = BrowserProgress(progress.text)
    assert list(again.history("abcdef0123456789")) == [Answer(NOON, True)] * 2
    progress.record("abcdef0123456789", Answer(NOON, False))
    assert list(BrowserProgress(progress.text).history("abcdef0123456789")) == [Answer(NOON, False)]
    assert not progress.history("123456")
    for n in range(2 * MAX_KEPT):
        progress.record(f"{n:06x}", Answer(NOON, True))
    for _ in range(2 * MAX_RIGHT):
        progress.record(f"{2 * MAX_KEPT - 1:06x}", Answer(NOON, True))
    assert len(progress) == MAX_KEPT
    assert BrowserProgress(progress.text).text == progress.text
    assert len(progress.text) < 4000
    assert len(BrowserProgress(progress.text[:-1])) == 0


def test_ones_own_mistakes_come_back(site: Running) -> None:
    """Before everything else at first, then by the same boxes as in the terminal, and only to their browser."""
    first, second, other = shipped_exercises()[-3:]
    with Browser(site.url) as ann, Browser(site.url) as bo:
        for browser in (ann, bo):
            browser.post("/new", **{"place-1": "random"})  # from now on, the browser has a cookie
            assert ">Practise</a>" in browser.get("/")
        lines = {exercise.id: exercise_line(exercise) for exercise in (first, second)}
        site.run(site.service.store.mistakes.add(owner(ann), lines, 1))
        assert "Practise (2 due)" in ann.get("/")
        assert ">Practise</a>" in bo.get("/")
        answer = ann.http.get("/practice")
        assert answer.url.path == f"/practice/{first.id}"
        assert "One of your mistakes" in answer.text
        assert "2 questions are due." in answer.text
        assert "in 1 day" in ann.post(f"/practice/{first.id}", move=first.best.text)
        assert "1 question is due." in ann.get("/practice")
        assert "in 10 minutes" in ann.post(f"/practice/{second.id}", move=second.moves[-1].move.text)
        assert ">Practise</a>" in ann.get("/")
        assert ann.http.get("/practice").url.path == f"/practice/{shipped_exercises()[0].id}"
        again = ann.post(f"/practice/{first.id}", move=first.best.text)
        assert "in 3 days" in again, "the second box"
        assert "One of your mistakes" not in bo.get(f"/practice/{first.id}")
        later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=2)
        histories = site.run(site.service.store.mistakes.histories(owner(ann)))
        assert waiting(histories.values(), Boxes(), later) == 1
        assert other.id not in histories


@pytest.mark.once  # a review by the search
def test_the_mistakes_of_a_hand(site: Running) -> None:
    """They are asked one after the other, each to the seat that made them."""
    with Browser(site.url) as ann, Browser(site.url) as bo:
        page = ann.post("/new", **{"place-1": "open", "name": "Ann", "with": "friends"})
        bo.post(f"/join/{page.partition('/join/')[2].partition(chr(34))[0]}", name="Bo")
        play_hand([ann, bo])
        hand = f"{ann.table}/hands/1"
        assert ann.http.get(f"{hand}/practice?match=1").url.path == hand, "there is no review yet"
        ann.post(f"{hand}/review?match=1")
        until = time.monotonic() + 300
        while "How everyone played" not in (page := ann.get(f"{hand}?match=1")):
            assert "The review failed" not in page
            assert time.monotonic() < until
            time.sleep(0.1)
        assert "Practise your mistakes" in page
        asked: dict[str, list[str]] = {}
        for name, browser in (("Ann", ann), ("Bo", bo)):
            assert site.run(site.service.store.mistakes.histories(owner(browser))) == {}
            assert browser.http.get(f"{hand}/practice?match=1").url.path != hand
            assert site.run(site.service.store.mistakes.histories(owner(browser))) == {}, "a GET stores nothing"
            answer = browser.http.post(f"{hand}/practice?match=1")
            address: str | None = str(answer.url)
            while address is not None:
                answer = browser.http.get(address)
                assert answer.status_code == 200
                asked.setdefault(name, []).append(answer.url.path)
                assert "Your mistakes in this hand" in answer.text
                told = browser.post(f"{answer.url.path}?match=1", move="")
                assert "Played at the time" in told
                assert "in 10 minutes" in told, "it is on the schedule"
                found = re.search(r'id="next" href="([^"]*)"', told)
                address = None if found is None else found[1]
            assert f'href="{hand}?match=1"' in told
        assert not {*asked["Ann"]} & {*asked["Bo"]}
        for name, browser in (("Ann", ann), ("Bo", bo)):
            kept = site.run(site.service.store.mistakes.histories(owner(browser)))
            assert {address.rpartition("/")[2] for address in asked[name]} == {*kept}
            assert "One of your mistakes" in browser.get(f"/practice/{asked[name][0].rpartition('/')[2]}")
        assert ann.http.get(asked["Bo"][0] + "?match=1").status_code == 404
        evil = ann.http.post(f"{hand}/practice?match=1", headers={"origin": "https://evil.example"})
        assert evil.status_code == 403


RULES = (make_rules(), make_rules("classic", 3, 3), make_rules("classic", 4, 2), make_rules("house", 6, 3))


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.table)
def test_a_hand_is_played_on(rules: Rules) -> None:
    """From any decision of any hand, the new table looks to the seat as the hand did; hidden cards are dealt anew."""
    phases, others = set(), 0
    for seed in range(6):
        chance = random.Random(seed)
        hand = Match.start(rules, seed).hand
        n = 0
        while not hand.is_over:
            n += 1
            seat = hand.seat
            assert seat is not None
            if n % 3 == 0 or hand.phase is not Phase.PLAY:
                phases.add(hand.phase)
                others += _goes_on(hand, seat)
            moves = list(hand.legal_moves)
            attacks = [move for move in moves if move.target is not None]
            hand = hand.play(chance.choice(attacks if attacks and chance.random() < 0.7 else moves))
    assert Phase.COUP in phases
    assert others, "the hidden cards are always the same"


def _goes_on(hand: Hand, seat: int) -> bool:
    """Play on from a moment of a hand; return whether the hidden cards differ."""
    rules = hand.rules
    match = Match(rules, hand, "seed")
    places = ("me" if n == seat else "basic" for n in range(rules.seats))
    start = created(*places, edition=rules.edition or "", sides=rules.sides, match_target=None)
    state = TableState(start)
    state.apply(start)
    dealt = deal_from(start, InformationState.of_match(match, seat))
    state.apply(dealt)
    if state.window is not None and hand.phase is Phase.PLAY:
        state.apply(Closed(at=start.at))
    assert state.match is not None
    assert state.view(seat) == hand.view(seat)
    assert state.question(seat) is not None
    return state.match.hand.deck != hand.deck


def test_playing_on_from_an_exercise(site: Running) -> None:
    exercise = next(e for e in shipped_exercises() if e.view.phase is Phase.PLAY)
    with Browser(site.url) as ann:
        ann.post(f"/practice/{exercise.id}/table")
        page = wait_asked(ann)  # at first, a coup fourré may still be called
        assert hand_of(page) == [card.value for card in sorted(exercise.view.hand, key=_order)]
        form = ann.form_of(page, "moves")
        ann.press(form, form["buttons"][0])
    with Browser(site.url) as stranger:
        assert stranger.http.get(ann.table).status_code == 200
        answer = stranger.http.post(f"/practice/{exercise.id}/table", headers={"origin": "https://evil.example"})
        assert answer.status_code == 403


def test_playing_on_from_a_hand(site: Running) -> None:
    """Only who had a seat plays on, from a moment before the end, against computers."""
    with Browser(site.url) as ann, Browser(site.url) as bo:
        page = ann.post("/new", **{"place-1": "open", "name": "Ann", "with": "friends"})
        bo.post(f"/join/{page.partition('/join/')[2].partition(chr(34))[0]}", name="Bo")
        finish([ann, bo])
        hand = ann.table
        page = bo.get(f"{hand}/hands/1?match=1&step=4")
        form = next(form for form in Form(page).forms if form["action"].endswith("/table?match=1"))
        bo.post(form["action"], **form["hidden"])
        assert bo.table != hand
        assert bo.look().count("Bo") > 0
        last = page.count("<li") - 1
        for step in ("999", str(last)):
            ann.post(f"{hand}/hands/1/table?match=1", 409, step=step)
        assert "Play on" not in ann.get(f"{hand}/hands/1?match=1&step=99999")
    with Browser(site.url) as watcher:
        assert "Play on" not in watcher.get(f"{hand}/hands/1?match=1&step=4")
        watcher.post(f"{hand}/hands/1/table?match=1", 401, step="4")
