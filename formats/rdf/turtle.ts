// Writes RDF as Turtle (https://www.w3.org/TR/turtle/).

import { groupProperties, NAMESPACES, quote } from './graph.ts'
import type { GraphNode, GraphSyntax, Term } from './graph.ts'

const PREFIXES = Object.entries(NAMESPACES)
  .map(([prefix, namespace]) => `@prefix ${prefix}: <${namespace}> .\n`)
  .join('')

/** Turtle, each node as a statement. */
export const turtle: GraphSyntax = {
  writeStart: (nodes) => `${PREFIXES}${writeNodes(nodes)}`,
  write: writeNodes,
  end: '',
}

function writeNodes(nodes: readonly GraphNode[]): string {
  return nodes.map(writeNode).join('')
}

function writeNode(node: GraphNode): string {
  const types = node.types.length === 0 ? [] : [`a ${node.types.join(', ')}`]
  const properties = [...groupProperties(node)].map(
    ([name, terms]) => `${name} ${terms.map(writeTerm).join(', ')}`,
  )
  const parts = [...types, ...properties]
  return parts.length === 0 ? '' : `\n${writeIri(node.iri)} ${parts.join(' ;\n  ')} .\n`
}

function writeTerm(term: Term): string {
  if ('iri' in term) return writeIri(term.iri)
  // Every escape of JSON is one of Turtle.
  const literal = quote(term.text)
  return term.datatype === undefined ? literal : `${literal}^^${term.datatype}`
}

// Angle brackets, spaces and the like are percent-encoded in every IRI.
function writeIri(iri: string): string {
  return `<${iri}>`
}
