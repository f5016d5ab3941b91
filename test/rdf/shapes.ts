/** Validates RDF with the shapes of DCAT-AP and DPROD, and compares graphs. */

import { readFileSync } from 'node:fs'
import jsonld from 'jsonld'
import { DataFactory, Parser, Store, Writer, type Quad } from 'n3'
import SHACLValidator from 'rdf-validate-shacl'

const FILES = ['dcat-ap-3.0.1-shapes.ttl', 'dcat-ap-3.0.1-range.ttl', 'dprod-1.0-beta1-shapes.ttl']
const NQUADS = 'application/n-quads'
const OWL_IMPORTS = 'http://www.w3.org/2002/07/owl#imports'

/** The functions of `jsonld` that are used, with the options that its types lack. */
interface JsonLdTools {
  toRDF(document: object, options: object): Promise<string>
  canonize(text: string, options: object): Promise<string>
}

const tools = jsonld as unknown as JsonLdTools
let validator: SHACLValidator | undefined

/** Returns the shapes as texts in Turtle. */
export function readShapeTexts(): string[] {
  return FILES.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
}

// Without references to vocabularies that a validator would fetch.
function readShapes(): Quad[] {
  return readShapeTexts()
    .flatMap(parseTurtle)
    .filter(({ predicate }) => predicate.value !== OWL_IMPORTS)
}

/** Lists how a graph violates the shapes. */
export async function listViolations(quads: readonly Quad[]): Promise<string[]> {
  validator ??= new SHACLValidator(new Store(readShapes()))
  const { results } = await validator.validate(new Store([...quads]))
  return results.map(
    ({ focusNode, path, message }) =>
      `${focusNode?.value} ${path?.value}: ${message.map(({ value }) => value).join(' ')}`,
  )
}

/** Parses Turtle. Throws if a text is none. */
export function parseTurtle(text: string): Quad[] {
  return new Parser({ format: 'text/turtle' }).parse(text)
}

/** Parses JSON-LD without fetching anything. Throws if a text is none. */
export async function parseJsonLd(text: string): Promise<Quad[]> {
  const options = { format: NQUADS, documentLoader: refuseToLoad, safe: true }
  const nquads = await tools.toRDF(JSON.parse(text) as object, options)
  return new Parser({ format: NQUADS }).parse(nquads)
}

/** Returns the canonical N-Quads of a graph (RDFC-1.0): equal for equal graphs. */
export async function canonicalize(quads: readonly Quad[]): Promise<string> {
  const text = new Writer({ format: NQUADS }).quadsToString([...quads])
  const options = { algorithm: 'RDFC-1.0', inputFormat: NQUADS, format: NQUADS }
  return await tools.canonize(text, { ...options, documentLoader: refuseToLoad })
}

async function refuseToLoad(url: string): Promise<never> {
  throw new Error(`the document refers to ${url}, which would have to be fetched`)
}

/** Returns the values of a property of a node, sorted. */
export function listValues(quads: readonly Quad[], subject: string, predicate: string): string[] {
  const [named, property] = [DataFactory.namedNode(subject), DataFactory.namedNode(predicate)]
  const objects = new Store([...quads]).getObjects(named, property, null)
  return objects.map(({ value }) => value).toSorted()
}
