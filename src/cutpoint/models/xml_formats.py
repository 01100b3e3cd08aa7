"""The formats of discrete networks in XML: XMLBIF 0.3, which pyAgrum calls BIFXML, and XDSL of GeNIe and SMILE."""

import re
from xml.etree import ElementTree as ET

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import topological_order
from cutpoint.models.escaping import IDENTIFIERS
from cutpoint.models.text_formats import joined, reshaped
from cutpoint.networks.bif import BifContent

_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text_of(root: ET.Element) -> str:
    """Return an XML document with its declaration, indented."""
    ET.indent(root, "\t")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _root(text: str, tag: str, source: str) -> ET.Element:
    """Return the root of an XML document."""
    try:
        root = ET.fromstring(text.encode())
    except ET.ParseError as problem:
        raise InputError(f"{source}: {problem}") from None
    if root.tag != tag:
        raise InputError(f"{source}: the root is {root.tag}, not {tag}")
    return root


def render_xmlbif(content: BifContent) -> str:
    """Return the text of a file; the child varies fastest in a table, then the last parent."""
    root = ET.Element("BIF", VERSION="0.3")
    network = ET.SubElement(root, "NETWORK")
    ET.SubElement(network, "NAME").text = content.name or "unknown"
    for name, states in content.states.items():
        variable = ET.SubElement(network, "VARIABLE", TYPE="nature")
        ET.SubElement(variable, "NAME").text = name
        for state in states:
            ET.SubElement(variable, "OUTCOME").text = state
        for key, text in content.properties.get(name, {}).items():
            ET.SubElement(variable, "PROPERTY").text = f"{key} = {text}"
    for name in content.states:
        definition = ET.SubElement(network, "DEFINITION")
        ET.SubElement(definition, "FOR").text = name
        for parent in content.parents[name]:
            ET.SubElement(definition, "GIVEN").text = parent
        ET.SubElement(definition, "TABLE").text = joined(content.tables[name])
    return _text_of(root)


def parse_xmlbif(text: str, source: str) -> BifContent:
    """Return the content of a file."""
    network = _root(text, "BIF", source).find("NETWORK")
    if network is None:
        raise InputError(f"{source}: no NETWORK; is it XMLBIF?")
    content = BifContent(name=network.findtext("NAME", "").strip())
    for variable in network.iter("VARIABLE"):
        name = variable.findtext("NAME", "").strip()
        content.states[name] = [(outcome.text or "").strip() for outcome in variable.iter("OUTCOME")]
        notes = [(one.text or "").split("=", 1) for one in variable.iter("PROPERTY")]
        content.properties[name] = {note[0].strip(): note[1].strip() for note in notes if len(note) == 2}
    for definition in network.iter("DEFINITION"):
        name = definition.findtext("FOR", "").strip()
        content.parents[name] = [(parent.text or "").strip() for parent in definition.iter("GIVEN")]
        content.tables[name] = reshaped(content, name, definition.findtext("TABLE", ""), source)
    return content


def render_xdsl(content: BifContent) -> str:
    """Return the text of a file: parents before children, the child fastest in tables, and names that GeNIe shows."""
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
    return _text_of(root)


def parse_xdsl(text: str, source: str) -> BifContent:
    """Return the content of a file, its variables in the order of GeNIe's list where there is one."""
    root = _root(text, "smile", source)
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
