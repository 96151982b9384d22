"""Reports on an analysis for people and programs: reasons, figures, text, web pages and plain data."""
