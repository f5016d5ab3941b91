import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { highlightMatches } from './highlight.ts'
import { createTerm, parseQuery } from './query.ts'
import type { Field, Reason } from './search.ts'

// Each row: the query, the text, and the text with the marks that a person expects.
const MARKS: readonly (readonly [query: string, text: string, marked: string])[] = [
  // Ids
  ['emissions', 'shipment-emission-statements', 'shipment-[emission]-statements'],
  [
    'emissions',
    'shipment_emissions.emission_statement',
    'shipment_[emissions].[emission]_statement',
  ],
  ['emission', 'shipment-emissions', 'shipment-[emissions]'],
  ['emission', 'emission-s', '[emission]-s'],
  ['shipment emissions', 'shipment-emission-statements', '[shipment]-[emission]-statements'],
  ['shipment_emissions', 'shipment_emissions', '[shipment_emissions]'],
  ['orders', 'order-status', '[order]-status'],
  ['order', 'order-status', '[order]-status'],
  ['status', 'order-status', 'order-[status]'],
  ['batches', 'batch_events', '[batch]_events'],
  ['companies', 'company-essentials', '[company]-essentials'],
  ['id', 'customer-id', 'customer-[id]'],
  // Column names
  ['customer_id', 'orders.customer_id', 'orders.[customer_id]'],
  ['customerId', 'orders.customer_id', 'orders.[customer_id]'],
  ['customerid', 'orders.customer_id', 'orders.[customer_id]'],
  ['customer id', 'orders.customerId', 'orders.[customer][Id]'],
  ['customer_order', 'customer_order_lines', '[customer_order]_lines'],
  ['customerord', 'customer_orders', '[customer_orders]'],
  ['orderl', 'order_lines', '[order]_lines'],
  ['pays', 'pay_slip', '[pay]_slip'],
  ['iban', 'BUYER_IBAN', 'BUYER_[IBAN]'],
  ['xml', 'parseXMLFile', 'parse[XML]File'],
  ['order2', 'order_2_lines', '[order_2]_lines'],
  // Texts
  ['emissions', 'Emission statements of each shipment', '[Emission] statements of each shipment'],
  ['journ', 'Wagon Journeys', 'Wagon [Journeys]'],
  ['wagon journ', 'Wagon Journeys', '[Wagon] [Journeys]'],
  [
    'late',
    'Delayed trains are late, later or latest.',
    'Delayed trains are [late], [later] or [latest].',
  ],
  ['cafe', 'The café of the station', 'The [café] of the station'],
  ['strasse', 'Die Straße nach Süden', 'Die [Straße] nach Süden'],
  ['data sets', 'Data Sets', '[Data] [Sets]'],
  ['s', 'emission-statements of ships', 'emission-[statements] of [ships]'],
  // Addresses
  [
    'orders',
    'https://data.example.org/order-status/orders',
    'https://data.example.org/[order]-status/[orders]',
  ],
  ['example', 's3://lake.example.org/raw/examples', 's3://lake.[example].org/raw/[examples]'],
  ['jo.weber', 'jo.weber@velmora.example', '[jo].[weber]@velmora.example'],
  // German compounds
  ['lieferung', 'Lieferungsverzug je Kunde', '[Lieferungsverzug] je Kunde'],
  ['lieferungs', 'lieferung-eingang', '[lieferung]-eingang'],
  ['schiffe', 'schiff_eigner', '[schiff]_eigner'],
  ['kundennummer', 'kunden_nummer', '[kunden_nummer]'],
  ['kunden', 'KundenNummer', '[Kunden]Nummer'],
  ['größe', 'Größenklasse', '[Größenklasse]'],
]

describe('highlightMatches › marks', () => {
  for (const [query, text, marked] of MARKS) {
    test(`"${query}" in "${text}"`, () => {
      assert.equal(mark(query, text, 'description'), marked)
    })
  }
})

test('highlightMatches › marks the beginning of a name whose words the query joins otherwise', () => {
  assert.equal(mark('ship ment', 'Shipment Emissions', 'name'), '[Shipment] Emissions')
  assert.equal(mark('shipmentemiss', 'shipment-emissions-raw', 'id'), '[shipment-emissions]-raw')
})

test('highlightMatches › a plural is not a beginning of the next word', () => {
  assert.equal(how('emissions', 'Emission Statements'), 'word')
  assert.equal(how('emission', 'Emission Statements'), 'prefix')
  assert.equal(how('emissionst', 'Emission Statements'), 'word')
  assert.equal(how('emissionsta', 'Emission Statements'), 'prefix')
  assert.equal(how('emissions', 'Emissions Report'), 'prefix')
  assert.equal(how('emissions', 'Emissions'), 'exact')
})

function how(query: string, text: string): Reason['how'] | undefined {
  return explain(query, text, 'name').why[0]?.how
}

function explain(query: string, text: string, field: Field) {
  const parsed = parseQuery(query)
  const terms = parsed.names.map(({ joined }) => createTerm(joined))
  return highlightMatches([{ field, text }], terms, parsed)
}

function mark(query: string, text: string, field: Field): string {
  const [highlight] = explain(query, text, field).highlights
  if (highlight === undefined) return text
  const { text: shown, ranges } = highlight
  return ranges.reduceRight(
    (whole, [from, to]) => `${whole.slice(0, from)}[${whole.slice(from, to)}]${whole.slice(to)}`,
    shown,
  )
}
