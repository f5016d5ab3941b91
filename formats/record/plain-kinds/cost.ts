import { flag, number, object, set, text } from '../../shape/shape.ts'
import { asText } from '../../text/value.ts'
import type { PlainRecordKind } from '../plain-record-kind.ts'

const YEAR_MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** A cost is an amount of money that a data product costs in one month, or without `yearMonth` in every month. */
export const COST = {
  kind: 'cost',
  collection: 'costs',
  called: 'cost',
  calledMany: 'costs',
  schemaName: 'Cost',
  listName: 'Costs',
  holder: { by: 'product', permission: 'DATAPRODUCT_EDIT' },
  id: 'of the server',
  bytesMax: 64 * 1024,
  countMax: 5000,
  filters: [],
  needsProduct: true,
  shape: object({
    fields: {
      id: text(),
      dataProductId: text(),
      name: text(),
      amount: number(),
      currency: text(),
      yearMonth: text(),
      estimated: flag,
      category: text(),
      description: text(),
      tags: set(text()),
      link: text({ format: 'uri' }),
    },
    required: ['dataProductId', 'name', 'amount', 'currency'],
    rules: [
      {
        field: 'yearMonth',
        holds: ({ yearMonth = null }) => {
          const month = asText(yearMonth)
          return month === undefined || YEAR_MONTH.test(month)
        },
        message: 'This must be a month such as "2026-01"; without it, the cost is of every month.',
      },
    ],
  }),
} as const satisfies PlainRecordKind
