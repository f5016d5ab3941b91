// A data product is a team's offer of data to the rest of the organization: what it is, who owns it, where its data
// comes from (input ports) and where others may get it (output ports). Teams describe it in a document in one of two
// formats, ODPS or the older DPS. Whatever the format, a document is read into the one shape below, which search,
// pages, diffs and events use. The document itself stays as it was sent.

import { canonicalText } from '../canonical.ts'
import { inspectValue } from '../inspect.ts'
import { Notes, type Problem, sortedProblems } from '../problem.ts'
import type { SourceText } from '../text.ts'
import { fieldOf, isObject, textOf, type Value } from '../value.ts'
import { detectFormat } from './detect.ts'
import { readDps } from './dps.ts'
import { DPS } from './dps-shape.ts'
import { readOdps } from './odps.ts'
import { ODPS_NEWEST, odpsShape } from './odps-shape.ts'

export type Format = 'odps' | 'dps'

export interface DataProduct {
  format: Format
  formatVersion: string | undefined
  id: string
  name: string
  /** External id of the team that owns the product. */
  ownerTeamId: string
  description?: string
  status?: string
  /** `source-aligned`, `aggregate`, `consumer-aligned`, or a word of the organization's own. */
  archetype?: string
  maturity?: string
  domain?: string
  version?: string
  tags: string[]
  links: { type: string; url: string }[]
  custom: { property: string; value: Value }[]
  inputPorts: InputPort[]
  outputPorts: OutputPort[]
}

export interface InputPort {
  /** Unique in the product: the id (DPS), or name and version (ODPS). */
  key: string
  id: string
  name: string
  version?: string
  description?: string
  type?: string
  contractId?: string
  sourceSystemId?: string
  location?: string
  tags: string[]
}

export interface OutputPort {
  /** Unique in the product: the id (DPS), or name and version (ODPS). */
  key: string
  /** What clients look a port up by: the id (DPS), or id, else name (ODPS). */
  id: string
  /** What people read. */
  name: string
  version?: string
  description?: string
  type?: string
  status?: string
  contractId?: string
  location?: string
  server?: { [key: string]: Value }
  containsPii?: boolean
  autoApprove?: boolean
  tags: string[]
  /** Canonical text of the port: equal when nothing about the port changed by meaning. */
  canonical: string
}

/** A document that was read, or every reason why it was not, sorted by field. */
export type Reading =
  | { ok: true; product: DataProduct; value: Value; canonical: string; warnings: Problem[] }
  | { ok: false; problems: Problem[] }

/**
 * Reads a data product document (ODPS v0.9.0 to v1.1.0, DPS 0.0.1). `id` is the id it is stored under; a document
 * that names another one is refused. `strict` turns deviations from the official schema from warnings into errors.
 * All problems are reported at once, sorted by field. Never throws.
 */
export function readDataProduct(
  source: SourceText,
  options: { id: string; strict: boolean },
): Reading {
  const notes = new Notes(source)
  const { value } = source
  const format = isObject(value) ? detectFormat(value, notes) : undefined
  if (!isObject(value) || format === undefined) return { ok: false, problems: notes.errors }

  const shape = format === 'odps' ? odpsShape(textOf(fieldOf(value, 'apiVersion'))) : DPS
  const findings = inspectValue(value, shape, source, options)
  const read = format === 'odps' ? readOdps : readDps
  const product = read(value, options.id, notes)
  // What the reader says about a field is closer to the matter than what the shape says about it.
  const fields = new Set(notes.errors.map(({ field }) => field))
  const others = (problems: Problem[]) => problems.filter(({ field }) => !fields.has(field))
  const errors = [...others(findings.errors), ...notes.errors]
  if (errors.length > 0) return { ok: false, problems: sortedProblems(errors) }
  return {
    ok: true,
    product,
    value,
    canonical: canonicalText(value, format === 'odps' ? ODPS_NEWEST : DPS),
    warnings: sortedProblems([...others(findings.warnings), ...notes.warnings]),
  }
}
