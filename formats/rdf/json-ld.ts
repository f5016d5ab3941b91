// Writes RDF as JSON-LD 1.1 with its context inside, so that no client has to fetch one
// (https://www.w3.org/TR/json-ld11/).

import { groupProperties, NAMESPACES, quote } from './graph.ts'
import type { GraphNode, GraphSyntax, Term } from './graph.ts'

const START = `{"@context":${JSON.stringify(NAMESPACES)},\n"@graph":[\n`

/** JSON-LD, each node as an object on a line of its own. */
export const jsonLd: GraphSyntax = {
  writeStart: (nodes) => `${START}${nodes.map(writeNode).join(',\n')}`,
  write: (nodes) => nodes.map((node) => `,\n${writeNode(node)}`).join(''),
  end: '\n]}\n',
}

function writeNode(node: GraphNode): string {
  const types = node.types.map((type) => `"${type}"`).join(',')
  const members = [
    `"@id":${quote(node.iri)}`,
    ...(node.types.length === 0 ? [] : [`"@type":[${types}]`]),
    ...Array.from(groupProperties(node), ([name, terms]) => {
      const values = terms.map(writeTerm)
      return `"${name}":${values.length === 1 ? values.join('') : `[${values.join(',')}]`}`
    }),
  ]
  return `{${members.join(',')}}`
}

function writeTerm(term: Term): string {
  if ('iri' in term) return `{"@id":${quote(term.iri)}}`
  const literal = quote(term.text)
  return term.datatype === undefined ? literal : `{"@type":"${term.datatype}","@value":${literal}}`
}
