"""XMLBIF 0.3 of discrete networks, which pyAgrum calls BIFXML: text to tables and back."""

from xml.etree import ElementTree as ET

from cutpoint.base.errors import InputError
from cutpoint.models.table_texts import joined, reshaped, text_of, xml_root
from cutpoint.networks.bif import BifContent


def render(content: BifContent) -> str:
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
    return text_of(root)


def parse(text: str, source: str) -> BifContent:
    """Return the content of a file."""
    network = xml_root(text, "BIF", source).find("NETWORK")
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
