"""From values to codes, before the search or in turns with it; imports learners and what is below them."""
