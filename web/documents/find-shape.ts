import { dcsShape } from '../../formats/data-contract/dcs/shape.ts'
import { odcsShape } from '../../formats/data-contract/odcs/shape.ts'
import { DPS } from '../../formats/data-product/dps-shape.ts'
import { odpsShape } from '../../formats/data-product/odps-shape.ts'
import { RECORD_KINDS } from '../../formats/record/kinds.ts'
import type { Shape } from '../../formats/shape/shape.ts'
import type { DocumentKind } from './document-kind.ts'

/** The shape of a document, and the name of its standard if its fields are described. */
interface NamedShape {
  shape: Shape
  name?: 'odcs' | 'odps'
}

const VERSION = /^\s*"?(?:apiVersion|dataContractSpecification)"?\s*:\s*"?([\w.-]+)/m

/** Returns the shape of a text in its version of the standard. The text need not be complete. */
export function findShape(reader: DocumentKind['reader'], text: string): NamedShape {
  const version = VERSION.exec(text)?.[1]
  if (reader === 'data-product') {
    const isDps = /^\s*"?(?:info|dataProductSpecification)"?\s*:/m.test(text)
    return isDps ? { shape: DPS } : { shape: odpsShape(version), name: 'odps' }
  }
  if (reader !== 'data-contract') return { shape: RECORD_KINDS[reader].shape }
  return /^\s*"?dataContractSpecification"?\s*:/m.test(text)
    ? { shape: dcsShape(version) }
    : { shape: odcsShape(version), name: 'odcs' }
}
