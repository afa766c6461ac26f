"""Loads a command when somebody asks for it: the start of a table needs one of all.

To load all takes a third of the work of a start, and a table whose plug was pulled
should be back soon.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module

import click


class LoadedWhenAsked(MutableMapping[str, click.Command]):
    """The commands of a group by name, each loaded once somebody asks for it.

    Args:
        package: Where their modules are.
        places: Module and name of each, as ``"play.serve"``.
    """

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        self._package = package
        self._places = dict(places)
        self._loaded: dict[str, click.Command] = {}
        self._change: Callable[[click.Command], object] = bool

    def change_each(self, change: Callable[[click.Command], object]) -> None:
        """Change those that are loaded, and each that will be, when it is."""
        self._change = change
        for command in self._loaded.values():
            change(command)

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._loaded:
            module, _, attribute = self._places[name].rpartition(".")
            found = getattr(import_module(f"{self._package}.{module}"), attribute)
            assert isinstance(found, click.Command), name
            self._change(found)
            self._loaded[name] = found
        return self._loaded[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._places[name] = ""
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._places[name]
        self._loaded.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
