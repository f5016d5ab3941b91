// Writes RDF as JSON-LD 1.1 with its context inside, so that no client has to fetch one
// (https://www.w3.org/TR/json-ld11/).

import { NAMESPACES, quote } from './graph.ts'
import type { GraphNode, GraphSyntax, Term } from './graph.ts'

const START = `{"@context":${JSON.stringify(NAMESPACES)},\n"@graph":[\n`

/** JSON-LD, each node as an object on a line of its own. */
export const jsonLd: GraphSyntax = {
  writeStart: (nodes) => `${START}${nodes.map(writeNode).join(',\n')}`,
  write: (nodes) => nodes.map((node) => `,\n${writeNode(node)}`).join(''),
  end: '\n]}\n',
}

function writeNode({ iri, types, properties }: GraphNode): string {
  let text = `{"@id":${quote(iri)}`
  if (types.length > 0) text += `,"@type":[${types.map((type) => `"${type}"`).join(',')}]`
  for (const [name, terms] of properties) {
    const values = terms.map(writeTerm).join(',')
    text += `,"${name}":${terms.length === 1 ? values : `[${values}]`}`
  }
  return `${text}}`
}

function writeTerm(term: Term): string {
  if ('iri' in term) return `{"@id":${quote(term.iri)}}`
  const literal = quote(term.text)
  return term.datatype === undefined ? literal : `{"@type":"${term.datatype}","@value":${literal}}`
}
