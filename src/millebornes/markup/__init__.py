"""What web pages and the page of a review share: templates, styles, drawings, and the table as plain values."""
