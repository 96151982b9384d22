"""Reports of an analysis for people and programs: reasons, figures, texts, pages and plain data."""
