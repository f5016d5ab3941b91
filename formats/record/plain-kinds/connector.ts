import { any, map, object, text } from '../../shape/shape.ts'
import type { PlainRecordKind } from '../plain-record-kind.ts'

/**
 * A connector is a program that synchronizes the catalog with another platform. It registers itself, and stores how far
 * it has come in `state`, often after every event.
 */
export const CONNECTOR = {
  kind: 'connector',
  collection: 'connectors',
  called: 'connector',
  calledMany: 'connectors',
  schemaName: 'Connector',
  listName: 'Connectors',
  holder: { by: 'key', permission: 'INGESTION_EDIT' },
  id: 'of the client',
  bytesMax: 256 * 1024,
  countMax: 1000,
  filters: [],
  shape: object({
    fields: {
      id: text(),
      info: object({
        fields: { type: text(), description: text(), connectorVersion: text() },
      }),
      health: object({
        fields: { status: text(), startedAt: text(), updatedAt: text(), errorMessage: text() },
      }),
      state: map(any),
      custom: map(any),
    },
  }),
} as const satisfies PlainRecordKind
