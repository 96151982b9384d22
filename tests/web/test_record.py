"""The matches of a browser against computer players, as its home page counts them."""

from millebornes.i18n import translator
from millebornes.themes import theme
from millebornes.web.pages.browser_record import MAX_TABLES, BrowserRecord, MatchCounts
from millebornes.web.pages.games import entry_of
from millebornes.web.pages.locale_text import PageWords
from tests.web.browsing import Browser
from tests.web.playing import Game, created
from tests.web.serving import Running

ENGLISH = PageWords(translator("en"), theme())


def test_no_match_counts_twice() -> None:
    record = BrowserRecord()
    for matches in (MatchCounts(1, 0), MatchCounts(1, 0), MatchCounts(1, 2), MatchCounts(1, 2, 1)):
        record = BrowserRecord(record.text)
        record.count("T_-1", "casual", matches)
    record.count("T2", "casual", MatchCounts(3))
    record.count("T3", "champion", MatchCounts(0, 1))
    assert BrowserRecord(record.text).levels == {"casual": MatchCounts(4, 2, 1), "champion": MatchCounts(0, 1)}


def test_a_damaged_cookie_counts_as_none() -> None:
    for text in ("", "casual", "casual.1.2", "casual.1.2.x", "casual.1.2.3|", "nobody.1.2.3", "c<b>.1.2.3"):
        assert BrowserRecord(text).levels == {}, text
    assert BrowserRecord("casual.1.2.3").levels == {"casual": MatchCounts(1, 2, 3)}


def test_the_cookie_stays_small() -> None:
    record = BrowserRecord()
    for n in range(500):
        record.count(f"table-{n:06}", ("casual", "basic", "champion")[n % 3], MatchCounts(100, 100, 100))
    assert len(record.text) < 3000
    assert record.text.count("~") == MAX_TABLES
    assert record.levels["casual"].won > 10_000


def test_what_a_table_adds() -> None:
    game = Game(created("me", "casual", match_target=300), 3, forfeits=0.02)
    state = game.state
    while state.match is None or state.number < 3 or state.status != "match_over":
        game.step()
    entry = entry_of(state, 0, ENGLISH)
    assert entry.level == "casual"
    won, lost = state.games
    assert entry.matches == MatchCounts(won, lost, 3 - won - lost)
    assert sum(entry.matches) == 3
    for places in (("me", "open"), ("me", "casual", "basic"), ("me", "casual", "open", "casual")):
        entry = entry_of(Game(created(*places), 1).state, 0, ENGLISH)
        assert (entry.level, entry.matches) == ("", MatchCounts())


def test_the_home_page_counts(server: Running) -> None:
    with Browser(server.url) as ann:
        ann.post("/new", **{"place-1": "basic"})
        assert "Your matches" not in ann.get("/")
        while 'name="what" value="resign"' not in ann.look() or 'data-status="playing"' not in ann.look():
            pass
        ann.post(f"{ann.table}/request", what="resign")
        for _ in range(2):
            assert "basic: 0 won, 1 lost" in ann.get("/")
