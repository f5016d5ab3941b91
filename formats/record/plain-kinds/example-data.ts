import { any, list, map, object, oneOf, text } from '../../shape/shape.ts'
import type { PlainRecordKind } from '../plain-record-kind.ts'

/** Example data are some rows of an output port, so that readers see what it has. */
export const EXAMPLE_DATA = {
  kind: 'example-data',
  collection: 'example-data',
  called: 'set of example data',
  calledMany: 'sets of example data',
  schemaName: 'ExampleData',
  listName: 'ExampleData',
  holder: { by: 'product', permission: 'DATAPRODUCT_EDIT' },
  id: 'of the client',
  bytesMax: 1024 * 1024,
  countMax: 100,
  filters: ['outputPortId', 'dataContractId'],
  shape: object({
    fields: {
      id: text(),
      dataProductId: text(),
      outputPortId: text(),
      dataContractId: text(),
      schemaName: text(),
      data: oneOf(map(any), list(any)),
    },
    required: ['dataProductId'],
  }),
} as const satisfies PlainRecordKind
