"""Counting the tokens of texts, and cutting texts to a number of them."""

from __future__ import annotations

from typing import AnyStr, Generic, NamedTuple, overload

from spmlite import _native


class TextPart(NamedTuple, Generic[AnyStr]):
    """A part of a text, cut where tokens end."""

    #: The part: `text[begin:end]` of the whole.
    text: AnyStr
    #: Where it begins in the whole, in characters; of bytes, in bytes.
    begin: int
    #: Where it ends.
    end: int
    #: How many ids `encode` gives for it alone, without bos and eos.
    token_count: int


class Splits:
    """What a processor does with numbers of tokens; bos and eos are counted nowhere."""

    _processor: _native.Processor
    _num_threads: int

    @overload
    def count(self, text: str | bytes, num_threads: int | None = None) -> int: ...
    @overload
    def count(self, text: list[str] | list[bytes], num_threads: int | None = None) -> list[int]: ...
    def count(
        self, text: str | bytes | list[str] | list[bytes], num_threads: int | None = None
    ) -> int | list[int]:
        """How many ids `encode` gives, without making them.

        Args:
            text: one text, or a list of texts, which gives a list of numbers.
            num_threads: for a list, how many threads share the work; below 0, one a core.

        Raises:
            TypeError: the text is neither str nor bytes nor a list of them.
            RuntimeError: no model is loaded, or a str holds half of a surrogate pair.

        >>> processor.count("Hello world"), processor.count(["Hello", "é", ""])
        (2, [1, 3, 0])
        """
        if isinstance(text, list):
            threads = self._num_threads if num_threads is None else num_threads
            return _native.count_batch(self._processor, text, threads) if text else []
        return _native.count(self._processor, text)

    def truncate(self, text: AnyStr, max_tokens: int) -> AnyStr:
        """The longest front of a text that ends where a token does and has few enough of them.

        Its ids are the first ones of the whole text's, where there is such a front close to the
        limit. Takes the time of encoding the whole text.

        Args:
            text: str or bytes; the result is the same.
            max_tokens: how many ids it may have at most.

        Raises:
            ValueError: `max_tokens` is below 0.
            RuntimeError: no model is loaded, or a str holds half of a surrogate pair.

        >>> processor.truncate("Hello world Hello", 2)
        'Hello world'
        >>> processor.truncate("Hello é", 3)  # é is two bytes, which stay together
        'Hello '
        """
        if max_tokens < 0:
            raise ValueError(f"max_tokens must not be below 0: {max_tokens}")
        _, end, _ = _native.truncate(self._processor, text, max_tokens)
        return text[:end]

    def split(self, text: AnyStr, max_tokens: int, overlap: int = 0) -> list[TextPart[AnyStr]]:
        """A text in parts of so many tokens, such as for a model that takes no more.

        All tokens of the text are in the parts, in order. A part is cut so that `encode` gives it
        the ids that it has within the text, where the model allows that: one that puts a space in
        front of a text is cut at spaces, which are in no part (they are put in front again). Where
        there are none, and in the middle of words, the number of tokens alone is kept.

        Args:
            text: str or bytes; the parts are the same.
            max_tokens: how many ids a part may have at most. Only what cannot be cut, such as one
                character of several bytes, may have more.
            overlap: how many tokens at the end of a part are to be at the beginning of the next
                one too, at most: less than `max_tokens`.

        Returns:
            The parts, with where each begins and ends in the text. None for a text without tokens.

        Raises:
            ValueError: `max_tokens` is below 1, or `overlap` is not less or below 0.
            RuntimeError: no model is loaded, or a str holds half of a surrogate pair.

        >>> for part in processor.split("Hello world Hello", 2):
        ...     print(part)
        TextPart(text='Hello world', begin=0, end=11, token_count=2)
        TextPart(text='Hello', begin=12, end=17, token_count=1)
        >>> [part.text for part in processor.split("Hello world Hello", 2, overlap=1)]
        ['Hello world', 'world Hello']
        """
        if max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1: {max_tokens}")
        if not 0 <= overlap < max_tokens:
            raise ValueError(f"overlap must be from 0 to {max_tokens - 1}: {overlap}")
        parts = _native.split(self._processor, text, max_tokens, overlap)
        return [TextPart(text[begin:end], begin, end, count) for begin, end, count in parts]
