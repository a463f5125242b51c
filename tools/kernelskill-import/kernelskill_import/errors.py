"""The one exception that becomes the importer's one error line."""


class ImportFailure(Exception):
    """What went wrong, where, and what to do, in one line.

    The text is shown to the user as it is. It starts in lower case, with the
    file if there is one, and has no full stop at the end.
    """

    def __init__(self, text):
        super().__init__(" ".join(str(text).split()))
