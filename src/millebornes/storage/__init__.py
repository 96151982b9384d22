"""Keep data between runs of the program, such as saved games, autosaves and preferences.

Files are always written completely or not at all.
"""

from millebornes.schema.statistics import HandResult, MatchResult, ReviewedSeat, ReviewedSide, ReviewResult
from millebornes.storage.autosave import AutosaveSlot, open_slot, slot_of, unfinished
from millebornes.storage.files import config_folder, data_folder, refusal, saves_folder, write_atomically
from millebornes.storage.locks import hold_save, let_go
from millebornes.storage.past_matches import keep_match, keep_review, load_reviews, past_match
from millebornes.storage.preferences import Preferences, change_preferences, load_preferences, save_preferences
from millebornes.storage.saves import SavedGame, SaveWriter, read_save, refuse_overwrite, save_path, typed_path
from millebornes.storage.statistics import Results, keep_result, load_results, statistics_file
from millebornes.storage.summary import Summary, summarize

__all__ = [
    "AutosaveSlot",
    "HandResult",
    "MatchResult",
    "Preferences",
    "Results",
    "ReviewResult",
    "ReviewedSeat",
    "ReviewedSide",
    "SaveWriter",
    "SavedGame",
    "Summary",
    "change_preferences",
    "config_folder",
    "data_folder",
    "hold_save",
    "keep_match",
    "keep_result",
    "keep_review",
    "let_go",
    "load_preferences",
    "load_results",
    "load_reviews",
    "open_slot",
    "past_match",
    "read_save",
    "refusal",
    "refuse_overwrite",
    "save_path",
    "save_preferences",
    "saves_folder",
    "slot_of",
    "statistics_file",
    "summarize",
    "typed_path",
    "unfinished",
    "write_atomically",
]
