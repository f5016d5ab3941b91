import type { Context, Field, Model } from '../../../formats/schema/model.ts'
import type { TermSet } from './terms.ts'

// The terms of models, fields and other parts of documents.

/** The maximum number of searched columns of a document. */
export const COLUMNS_MAX = 10_000

/** The maximum number of classifications of a document that are searched. */
export const CLASSIFICATIONS_MAX = 20

const PATH_CHARACTERS_MAX = 300
const SYNONYMS_MAX = 1000

/** The searched columns of a document. */
export interface IndexedColumns {
  /** Their paths. */
  columns: string[]
  classifications: Set<string>
}

/** Adds the names of a model. */
export function addModelNames(terms: TermSet, { name, physicalName, namespace }: Model): void {
  terms.addFact(name)
  if (physicalName !== undefined && physicalName !== name) terms.addFact(physicalName)
  if (namespace !== undefined) terms.addFact(namespace)
}

/** Lists the columns of models, and adds their terms. */
export function listModelColumns(
  models: readonly Model[],
  terms: TermSet,
  synonyms: SynonymLines,
): IndexedColumns {
  const columns: IndexedColumns = { columns: [], classifications: new Set() }
  for (const { name, fields } of models) addFields({ terms, synonyms }, fields, name, columns)
  for (const model of models) {
    for (const tag of model.tags) terms.addFact(tag)
    terms.addText(model.description)
    addContext(terms, model.context)
  }
  return columns
}

/** The synonyms of a document and its parts. They are facts, so that they rank below names and above descriptions. */
export class SynonymLines {
  /** Each synonym, and after a tab the path of its part. */
  readonly lines: string[] = []
  readonly #terms: TermSet

  constructor(terms: TermSet) {
    this.#terms = terms
  }

  /** Adds the synonyms of the document, or of the part with a path. */
  add(synonyms: readonly string[] | undefined, path?: string): void {
    if (synonyms === undefined) return
    for (const synonym of synonyms) {
      if (this.lines.length >= SYNONYMS_MAX) return
      this.#terms.addFact(synonym)
      const text = toLine(synonym).replaceAll('\t', ' ')
      this.lines.push(path === undefined ? text : `${text}\t${toLine(path)}`)
    }
  }
}

/** Adds the texts of a context: instructions, questions with answers, restrictions. */
export function addContext(terms: TermSet, context: Context | undefined): void {
  if (context === undefined) return
  terms.addText(context.instructions)
  for (const { question, answer } of context.statements) {
    terms.addText(question)
    terms.addText(answer)
  }
  for (const constraint of context.constraints) terms.addText(constraint)
}

function addFields(
  parts: { terms: TermSet; synonyms: SynonymLines },
  fields: readonly Field[],
  above: string,
  indexed: IndexedColumns,
): void {
  const { terms, synonyms } = parts
  for (const field of fields) {
    if (indexed.columns.length >= COLUMNS_MAX) return
    const path = `${above}.${field.name}`
    indexed.columns.push(path)
    addClassification(terms, field.classification, indexed)
    terms.addFact(field.name)
    if (field.physicalName !== undefined) terms.addFact(field.physicalName)
    for (const tag of field.tags) terms.addFact(tag)
    synonyms.add(field.synonyms, path)
    terms.addText(field.description)
    const inside = field.fields ?? field.items?.fields ?? field.values?.fields ?? []
    addFields(parts, inside, path, indexed)
  }
}

/** Adds the classification of a field. */
export function addClassification(
  terms: TermSet,
  classification: string | undefined,
  { classifications }: IndexedColumns,
): void {
  if (classification === undefined || classifications.size >= CLASSIFICATIONS_MAX) return
  classifications.add(classification)
  terms.addFact(classification)
}

/** Returns a text on one line, cut to the length of a path. */
export function toLine(text: string): string {
  return text
    .slice(0, PATH_CHARACTERS_MAX)
    .toWellFormed()
    .replaceAll(/[\n\r]+/g, ' ')
}
