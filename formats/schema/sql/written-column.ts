// What a column's type allows in a table: whether it can be in a key, and how much of a row it takes.

import type { Field } from '../model.ts'
import type { Platform } from '../types/native-type.ts'

/** A column as it is written. */
export interface TableColumn {
  field: Field
  name: string
  quoted: string
  type: string
  /** The column's line in CREATE TABLE, and the statements that follow it. */
  line: string
  after: string[]
}

/** An index of MySQL holds at most this many bytes. */
export const KEY_BYTES_MAX = 3072

/** Returns how many bytes a column takes in a key, where that is limited. */
export function keyBytes(type: string, platform: Platform): number {
  return platform === 'mysql' ? (rowBytes(type) ?? 8) : 0
}

/** Returns how many bytes of a row of MySQL a text or binary of limited length takes; undefined for other types. */
export function rowBytes(type: string): number | undefined {
  const [, name = '', length = ''] = /^((?:var)?(?:char|binary))\((\d+)\)/.exec(type) ?? []
  if (name === '') return undefined
  return Number(length) * (name.endsWith('char') ? 4 : 1)
}

/** Returns whether a column of a type can be in a key; MySQL and SQL Server cannot index unlimited texts. */
export function canBeKey(type: string, platform: Platform): boolean {
  if (/^(?:json|variant|object|array|struct|map|geo|xml|point)/i.test(type)) return false
  if (platform === 'mysql') {
    return !/text$|blob$/.test(type) && keyBytes(type, platform) <= KEY_BYTES_MAX
  }
  if (platform === 'bigquery') return !/^(?:INTERVAL|RANGE)/.test(type)
  return platform !== 'sqlserver' || !/\(max\)$|^(?:n?text|image)$/.test(type)
}
