// A graph of RDF as the catalog writes it: nodes with types and properties. Both writers take these nodes, so that Turtle
// and JSON-LD have the same triples.

/**
 * The namespace of DPROD 1.0 beta 1 (OMG). The vocabulary is a draft: a later version may move to another one.
 * https://ekgf.github.io/dprod/
 */
const DPROD_NAMESPACE = 'https://ekgf.github.io/dprod/'

/** The version of DPROD that is written, as the header `portbook-draft` states it. */
export const DPROD_DRAFT = 'dprod; version=1.0-beta1'

/** The namespaces of all names, by prefix. */
export const NAMESPACES = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  dprod: DPROD_NAMESPACE,
  foaf: 'http://xmlns.com/foaf/0.1/',
  hydra: 'http://www.w3.org/ns/hydra/core#',
  prov: 'http://www.w3.org/ns/prov#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const

/** A class or a property: `dct:title`. */
type Name = `${keyof typeof NAMESPACES}:${string}`

/** The value of a property: another node, or a literal. Without a datatype, a literal is a text. */
export type Term = { iri: string } | { text: string; datatype?: Name }

/** A subject with some of its triples. Several nodes of a graph may have the same IRI. */
export interface GraphNode {
  iri: string
  types: readonly Name[]
  properties: readonly Property[]
}

/** A predicate and its objects, at least one. A node has each predicate once. */
export type Property = readonly [Name, readonly Term[]]

/** A syntax of RDF. A document is `writeStart`, any number of `write`, and `end`. */
export interface GraphSyntax {
  /** Begins a document with its first nodes, at least one. */
  writeStart(nodes: readonly GraphNode[]): string
  write(nodes: readonly GraphNode[]): string
  end: string
}

/** Returns the property with a text; none for an absent text. */
export function textProperty(name: Name, text: string | undefined): Property[] {
  return text === undefined ? [] : textProperties(name, [text])
}

/** Returns the property with texts. */
export function textProperties(name: Name, texts: readonly string[]): Property[] {
  if (texts.length === 0) return []
  // Half a character has no form in UTF-8.
  return [[name, texts.map((text) => ({ text: text.toWellFormed() }))]]
}

/** Returns the property with other nodes as its values. */
export function nodeProperties(name: Name, iris: readonly string[]): Property[] {
  return iris.length === 0 ? [] : [[name, iris.map((iri) => ({ iri }))]]
}

// Control characters, line separators, and characters that change the direction of a text: a reader of the file would
// see something else than what it states. JSON escapes the control characters below the space.
const INVISIBLE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Returns a JSON text of a string, which is also a literal of Turtle, without invisible characters. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text)
  // Hardly any text has one, and searching is cheaper than replacing.
  return quoted.search(INVISIBLE) < 0 ? quoted : quoted.replaceAll(INVISIBLE, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
