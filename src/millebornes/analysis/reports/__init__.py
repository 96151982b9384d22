"""What people and programs are shown of an analysis: reasons, figures, texts, pages and plain data."""
