"""Shows an Outcome: ``as_text`` to people, ``as_json`` to programs.

``order`` linearises the graph, ``relevance`` chooses what matters, ``values`` and ``steps`` describe it in
source terms, ``table`` lays it out. Nothing here changes an Outcome or asks the engine anything.
"""

from mazurka.report.as_json import as_json, error_as_json
from mazurka.report.text import as_text

__all__ = ["as_json", "as_text", "error_as_json"]
