"""XDSL, the format of GeNIe and SMILE, of discrete networks: text to tables and back."""

import re
from xml.etree import ElementTree as ET

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import topological_order
from cutpoint.models.escaping import IDENTIFIERS
from cutpoint.models.table_texts import joined, reshaped, text_of, xml_root
from cutpoint.networks.bif import BifContent

_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(content: BifContent) -> str:
    """Return the text of a file: parents come before children, in a table the child varies fastest.

    GeNIe shows a variable by the name that its identifier stands for.
    """
    root = ET.Element("smile", version="1.0", id="network")
    nodes = ET.SubElement(root, "nodes")
    names = list(content.states)
    dag = np.array([[one in content.parents[name] for name in names] for one in names], bool)
    for i in topological_order(dag).tolist():
        node = ET.SubElement(nodes, "cpt", id=names[i])
        for state in content.states[names[i]]:
            ET.SubElement(node, "state", id=state)
        if content.parents[names[i]]:
            ET.SubElement(node, "parents").text = " ".join(content.parents[names[i]])
        for key, text in content.properties.get(names[i], {}).items():
            ET.SubElement(node, "property", id=key).text = text
        ET.SubElement(node, "probabilities").text = joined(content.tables[names[i]])
    extensions = ET.SubElement(ET.SubElement(root, "extensions"), "genie", version="1.0", app="cutpoint")
    extensions.set("name", content.name or "unknown")
    for name in names:
        node = ET.SubElement(extensions, "node", id=name)
        ET.SubElement(node, "name").text = _NOT_XML.sub(" ", IDENTIFIERS.unescaped(name))
    return text_of(root)


def parse(text: str, source: str) -> BifContent:
    """Return the content of a file, its variables in the order of GeNIe's list where there is one."""
    root = xml_root(text, "smile", source)
    nodes = root.find("nodes")
    if nodes is None:
        raise InputError(f"{source}: no nodes; is it XDSL?")
    if other := [node.tag for node in nodes if node.tag != "cpt"]:
        raise InputError(f"{source}: a node of the kind {other[0]!r}; only tables of probabilities (cpt) are read")
    by_name = {node.get("id", ""): node for node in nodes}
    listed = [node.get("id", "") for node in root.iterfind("extensions/genie//node")]
    order = listed if sorted(listed) == sorted(by_name) else list(by_name)
    genie = root.find("extensions/genie")
    content = BifContent(name="" if genie is None else genie.get("name", ""))
    for name in order:
        content.states[name] = [state.get("id", "") for state in by_name[name].iterfind("state")]
        content.properties[name] = {one.get("id", ""): one.text or "" for one in by_name[name].iterfind("property")}
    for name in order:
        content.parents[name] = by_name[name].findtext("parents", "").split()
        content.tables[name] = reshaped(content, name, by_name[name].findtext("probabilities", ""), source)
    return content
