/** Each name that a document of the example mesh takes from another one exists there. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toItems, listTexts, readFacts } from '../../test/demo-facts.ts'
import type { DataContract } from '../../formats/data-contract/data-contract.ts'
import { listDefinitionUses } from '../../formats/data-contract/definition-uses.ts'
import type { DataProduct } from '../../formats/data-product/data-product.ts'
import type { Field, Model, QualityCheck } from '../../formats/schema/model.ts'
import { asText, getField, type Value } from '../../formats/text/value.ts'
import { findOwner } from './mesh.ts'
import { listPeopleOfTeams, PEOPLE } from './people.ts'

const facts = readFacts()
const people = new Map([
  ...listPeopleOfTeams(facts.documents),
  ...PEOPLE.map(({ email, name }): [string, string] => [email, name]),
])

/** Contracts of partners, of a publisher, and a planned one: they are missing on purpose (examples/README.md). */
const MISSING_CONTRACTS = new Set([
  'im-running-messages',
  'network-statements',
  'un-number-list',
  'traction-energy-monthly',
])

/** The retired contract breaks the policy on classifications: its levels are of no scheme (examples/README.md). */
const OLD_LEVELS = 'consignments-v1'

/** Defines a test that lists what is wrong in each document. */
function check<Document extends { folder: string; id: string; isEarlier: boolean }>(
  name: string,
  documents: readonly Document[],
  find: (document: Document) => Iterable<string>,
): void {
  test(name, () => {
    const problems = documents.flatMap((document) =>
      [...find(document)].map(
        (problem) =>
          `${document.isEarlier ? 'earlier/' : ''}${document.folder}/${document.id}: ${problem}`,
      ),
    )
    assert.deepEqual(problems, [])
  })
}

check('owning teams exist', facts.documents, function* (document) {
  const owner = findOwner(document)
  if (owner !== undefined && !facts.has('teams', owner)) yield owner
})

check(
  'people of contracts and products are members of the organization',
  facts.documents,
  function* ({ source, folder }) {
    if (folder === 'teams') return
    for (const { path, text } of listTexts(source.value)) {
      if (path.at(-1) === 'username' && !people.has(text)) yield text
    }
  },
)

check('a person has one name', facts.documents, function* ({ source, folder }) {
  if (folder === 'teams') return
  for (const member of toItems(getField(getField(source.value, 'team'), 'members'))) {
    const email = asText(getField(member, 'username')) ?? ''
    const name = asText(getField(member, 'name'))
    if (name !== undefined && people.get(email) !== name) yield `${email} ${name}`
  }
})

check('contracts of ports exist', facts.products, function* ({ content }) {
  for (const { contractId } of [...content.inputPorts, ...content.outputPorts]) {
    if (contractId === undefined || MISSING_CONTRACTS.has(contractId)) continue
    if (!facts.has('data-contracts', contractId)) yield contractId
  }
})

check(
  'input ports have the version of the output port that they read',
  facts.products,
  function* ({ content, isEarlier }) {
    if (isEarlier) return
    for (const { name, contractId, version } of content.inputPorts) {
      if (contractId === undefined || version === undefined) continue
      const provided = listPortsWith(contractId).flatMap((port) => port.version ?? [])
      if (provided.length > 0 && !provided.includes(version)) {
        yield `${name} ${version}, provided: ${provided.join(', ')}`
      }
    }
  },
)

check(
  'contracts that output ports depend on are those of input ports',
  facts.products,
  function* ({ value, content }) {
    const inputs = new Set(content.inputPorts.map(({ contractId }) => contractId))
    for (const port of toItems(getField(value, 'outputPorts'))) {
      for (const contract of toItems(getField(port, 'inputContracts'))) {
        const id = asText(getField(contract, 'id'))
        if (!inputs.has(id)) yield `${asText(getField(port, 'name'))} ${id}`
      }
    }
  },
)

check(
  'source systems and data products of input ports exist',
  facts.products,
  function* ({ content }) {
    for (const { sourceSystemId } of content.inputPorts) {
      if (sourceSystemId === undefined) continue
      if (facts.has('source-systems', sourceSystemId)) continue
      if (!facts.has('data-products', sourceSystemId)) yield sourceSystemId
    }
  },
)

check(
  'assets of ports exist and have the columns of their contract',
  facts.products,
  function* ({ value, isEarlier }) {
    if (isEarlier) return
    for (const port of toItems(getField(value, 'outputPorts'))) {
      const contract = facts.findContract(asText(getField(port, 'contractId')) ?? '')
      const columns = new Set(
        contract?.content.models.flatMap(({ fields }) => fields.map(getColumn)),
      )
      for (const id of listAssets(port)) {
        const asset = facts.documents.find((one) => one.folder === 'assets' && one.id === id)
        if (asset === undefined) yield id
        const present = toItems(getField(asset?.source.value, 'properties')).map(
          (property) => asText(getField(property, 'name')) ?? '',
        )
        for (const name of present)
          if (columns.size > 0 && !columns.has(name)) yield `${id}.${name}`
      }
    }
  },
)

check(
  'servers of ports are servers of their contract',
  facts.products,
  function* ({ content, isEarlier }) {
    if (isEarlier) return
    for (const { name, contractId, server } of content.outputPorts) {
      const contract = facts.findContract(contractId ?? '')?.content
      if (server === undefined || contract === undefined) continue
      const texts = contract.servers.map(({ properties }) => Object.values(properties).map(String))
      for (const [member, value] of Object.entries(server)) {
        const text = asText(value) ?? ''
        if (!['host', 'database', 'schema', 'topic'].includes(member)) continue
        const values = [...texts.flat(), ...contract.models.flatMap(listPlaces)]
        if (!values.some((one) => one.includes(text))) yield `${name} ${member} ${text}`
      }
    }
  },
)

check(
  'tags with a namespace, certifications and classifications exist',
  facts.documents,
  function* ({ id, folder, source }) {
    if (folder === 'classification-schemes') return
    for (const { path, text } of listTexts(source.value)) {
      const name = path.at(-1)
      if (name === 'tags' && text.includes('/') && !facts.has('tags', text)) yield text
      if (name === 'classification' && id !== OLD_LEVELS && !LEVELS.has(text)) yield text
    }
  },
)

const LEVELS = new Set(
  facts.documents
    .filter(({ folder }) => folder === 'classification-schemes')
    .flatMap(({ source }) => [...listTexts(source.value)].map(({ text }) => text)),
)

check('definitions that contracts name exist', facts.contracts, function* ({ value }) {
  for (const { definitionId } of listDefinitionUses(value)) {
    if (!facts.has('definitions', definitionId)) yield definitionId
  }
})

check('relationships and references lead to columns', facts.contracts, function* ({ warnings }) {
  yield* warnings.filter((text) => /relationship|reference/i.test(text))
})

check(
  'quality rules in SQL name tables and columns of their contract',
  facts.contracts,
  function* ({ content }) {
    for (const model of content.models) {
      for (const { rule, name } of listChecks(model)) {
        const query = asText(getField(rule, 'query'))
        if (query === undefined) continue
        for (const word of listSqlNames(query)) {
          if (!listNames(content).has(word)) yield `${name ?? 'rule'}: ${word}`
        }
      }
    }
  },
)

check('service levels name columns of their contract', facts.contracts, function* ({ content }) {
  for (const { element } of content.serviceLevels) {
    for (const path of element?.split(',') ?? []) {
      const [model = '', ...fields] = path.trim().split('.')
      const columns = content.models.find((one) => one.name === model)?.fields
      const [column] = fields
      if (columns === undefined) yield path
      else if (column !== undefined && !columns.some(({ name }) => name === column)) yield path
    }
  }
})

check('sources of columns are models of contracts', facts.contracts, function* ({ value }) {
  for (const { path, text } of listTexts(value)) {
    if (path.at(-1) !== 'transformSourceObjects') continue
    const [contract = '', model = ''] = text.split('.')
    const models = facts.findContract(contract)?.content.models ?? []
    if (!models.some(({ name }) => name === model)) yield text
  }
})

check('successors exist', [...facts.products, ...facts.contracts], function* ({ value }) {
  for (const { path, text } of listTexts(value)) {
    if (path.at(-1) !== 'replaces') continue
    if (!facts.has('data-products', text)) yield text
  }
})

check('instants are valid and not in the future', facts.documents, function* ({ source }) {
  for (const { path, text } of listTexts(source.value)) {
    if (path.at(-1)?.endsWith('CreatedTs') !== true) continue
    if (!(Date.parse(text) < Date.now())) yield text
  }
})

function listPortsWith(contractId: string): DataProduct['outputPorts'] {
  return facts.products
    .filter(({ isEarlier }) => !isEarlier)
    .flatMap(({ content }) => content.outputPorts)
    .filter((port) => port.contractId === contractId)
}

function listAssets(port: Value): string[] {
  return toItems(getField(port, 'customProperties'))
    .filter((property) => asText(getField(property, 'property')) === 'assets')
    .flatMap((property) => toItems(getField(property, 'value')))
    .flatMap((id) => asText(id) ?? [])
}

function getColumn({ name, physicalName }: Field): string {
  return physicalName ?? name
}

function listPlaces({ physicalName, namespace, database }: Model): string[] {
  return [physicalName ?? '', namespace ?? '', database ?? '']
}

function listChecks({ quality, fields }: Model): QualityCheck[] {
  return [...quality, ...fields.flatMap((field) => field.quality)]
}

function listNames({ models }: DataContract): Set<string> {
  return new Set(
    models.flatMap((model) => [
      model.name,
      model.physicalName ?? model.name,
      ...model.fields.flatMap((field) => [field.name, getColumn(field)]),
    ]),
  )
}

const KEYWORDS = new Set(
  'select count from where and or not null is in between current_date current_timestamp as on group by having distinct case when then else end join sum min max interval'.split(
    ' ',
  ),
)

// The names of functions and aliases: `now(`, `as gaps`, `INVOICE i`.
const ALIASES =
  /(?:\bas\s+|(?:\bfrom|\bjoin)\s+\w+\s+(?!on\b|where\b|group\b|join\b))([A-Za-z_]\w*)|\b(\w+)(?=\()/gi

// Names in the query, without texts, variables and numbers.
function listSqlNames(query: string): string[] {
  const text = query.replaceAll(/'[^']*'|\$\{\w+\}/g, ' ')
  const own = [...text.matchAll(ALIASES)].map(([, alias, called]) => alias ?? called ?? '')
  const words = text.match(/[A-Za-z_]\w*/g) ?? []
  return words.filter((word) => !KEYWORDS.has(word.toLowerCase()) && !own.includes(word))
}
