// Writes RDF as Turtle (https://www.w3.org/TR/turtle/).

import { NAMESPACES, quote } from './graph.ts'
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
  let text = ''
  for (const node of nodes) text += writeNode(node)
  return text
}

function writeNode({ iri, types, properties }: GraphNode): string {
  let text = ''
  if (types.length > 0) text += ` a ${types.join(', ')}`
  for (const [name, terms] of properties) {
    text += `${text === '' ? ' ' : ' ;\n  '}${name} `
    let separator = ''
    for (const term of terms) {
      text += separator + writeTerm(term)
      separator = ', '
    }
  }
  return text === '' ? '' : `\n${writeIri(iri)}${text} .\n`
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
