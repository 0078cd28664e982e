"""Which frontend writes which class of IR, and how verbs and slot ids are spelled: what ``silp optimize`` finds."""
