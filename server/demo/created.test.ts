/** The agreements, usage, tests and records of the demo agree with the documents of the mesh. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toItems, readFacts } from '../../test/demo-facts.ts'
import { checkExampleRows } from '../../formats/data-contract/example-rows.ts'
import { readText } from '../../formats/text/text.ts'
import { asText, getField, type Value } from '../../formats/text/value.ts'
import { AGREEMENTS, type DemoAgreement } from './access.ts'
import { ADDED } from './estate.ts'
import { FOLLOWS } from './follows.ts'
import { listPeopleOfTeams, PEOPLE, TEAM_KEYS, toAddress } from './people.ts'
import { CHANNELS, EXAMPLES, MONTHLY_COSTS } from './plain-records.ts'
import { TESTS } from './tests.ts'
import { CONSUMERS } from './usage.ts'

const facts = readFacts()
const people = new Set([
  ...listPeopleOfTeams(facts.documents).keys(),
  ...PEOPLE.map(({ email }) => email),
])

/** Defines a test that lists what is wrong with each item. */
function check<Item>(
  name: string,
  items: readonly Item[],
  find: (item: Item) => Iterable<string>,
): void {
  test(name, () =>
    assert.deepEqual(
      items.flatMap((item) => [...find(item)]),
      [],
    ),
  )
}

const findPort = (productId: string, port: string) =>
  facts.findProduct(productId)?.content.outputPorts.find(({ id }) => id === port)
const findOwner = (productId: string): string =>
  facts.findProduct(productId)?.content.ownerTeamId ?? ''
const isMember = (name: string): boolean => people.has(toAddress(name))

check('agreements › are for ports and parties that exist', AGREEMENTS, function* (agreement) {
  const { id, product, port, consumer } = agreement
  if (findPort(product, port) === undefined) yield `${id}: port ${product} ${port}`
  const exists = {
    team: facts.has('teams', consumer.id),
    dataproduct: facts.has('data-products', consumer.id),
    user: isMember(consumer.id),
  }[consumer.type]
  if (!exists) yield `${id}: consumer ${consumer.id}`
})

check('agreements › are requested for products that read the port', AGREEMENTS, function* (one) {
  const { id, product, port, consumer } = one
  if (consumer.type !== 'dataproduct') return
  const inputs = facts.findProduct(consumer.id)?.content.inputPorts ?? []
  const contractId = findPort(product, port)?.contractId
  const isPlanned = id === 'energy-for-emissions'
  if (!isPlanned && !inputs.some((input) => input.contractId === contractId)) yield id
})

check('agreements › are requested and decided by people who may', AGREEMENTS, function* (one) {
  const { id, requested, product, consumer, approved, rejected } = one
  const team = consumer.type === 'dataproduct' ? findOwner(consumer.id) : consumer.id
  const requester = toAddress(requested.by)
  const isOwn = consumer.type === 'user' && consumer.id === requested.by
  if (!isOwn && !facts.listRoles(team).has(requester)) yield `${id}: requested by ${requested.by}`
  for (const decision of [approved, rejected]) {
    if (decision === undefined) continue
    const roles = facts.listRoles(findOwner(product)).get(toAddress(decision.by))
    const mayDecide = roles?.has('Owner') === true || roles?.has('Approver') === true
    if (!mayDecide) yield `${id}: decided by ${decision.by}`
  }
})

check('agreements › have their dates in order, after the port exists', AGREEMENTS, function* (one) {
  const { id, requested, approved, rejected, canceled, from, reports = [], to } = one
  const ages = [
    requested.daysAgo,
    approved?.daysAgo ?? rejected?.daysAgo,
    ...reports.map(({ daysAgo }) => daysAgo),
    canceled?.daysAgo,
  ].flatMap((age) => age ?? [])
  const isOrdered = ages.every((age, at) => at === 0 || age < (ages[at - 1] ?? age))
  if (!isOrdered) yield `${id}: ${ages.join(', ')}`
  if (from !== undefined && to !== undefined && from >= to) yield `${id}: ends before it begins`
  const born = findBirth(one)
  if (!(requested.daysAgo * 24 < born)) yield `${id}: the port is ${born / 24} days old`
})

check(
  'agreements › are approved by hand, because no port of theirs approves itself',
  AGREEMENTS,
  function* ({ id, product, port }) {
    if (findPort(product, port)?.autoApprove === true) yield id
  },
)

check('agreements › need no product in a format that ends', AGREEMENTS, function* (agreement) {
  for (const id of [agreement.product, agreement.consumer.id]) {
    if (facts.findProduct(id)?.content.format === 'dps') yield `${agreement.id}: ${id}`
  }
})

check('usage › is of people, roles and ports that exist', CONSUMERS, function* (consumer) {
  const { product, port, user, agreement, role } = consumer
  if (findPort(product, port) === undefined) yield `port ${product} ${port}`
  if (user !== undefined && !isMember(user)) yield `user ${user}`
  const terms = AGREEMENTS.find(({ id }) => id === agreement)
  if (terms !== undefined && terms.role !== role) yield `role ${role}`
})

check(
  'usage › without an agreement is that of the owning team, or of one role',
  CONSUMERS,
  function* ({ product, user, agreement, role }) {
    if (agreement !== undefined || role === 'empty-running-model') return
    const roles = facts.listRoles(findOwner(product))
    if (user === undefined || !roles.has(toAddress(user))) yield `${product} ${user ?? role}`
  },
)

check('usage › of a team and a person is by its members', CONSUMERS, function* (consumer) {
  const { user, agreement } = consumer
  const party = AGREEMENTS.find(({ id }) => id === agreement)?.consumer
  if (party === undefined || user === undefined) return
  const isParty =
    party.type === 'user' ? party.id === user : facts.listRoles(party.id).has(toAddress(user))
  if (!isParty) yield `${user} reads by ${agreement}`
})

check(
  'agreements in force › have usage, unless they could not be provisioned',
  AGREEMENTS,
  function* (one) {
    const { id, approved, canceled, from = 0, to = 1, reports = [] } = one
    const isInForce = approved !== undefined && canceled === undefined && from <= 0 && to > 0
    const isGranted = reports.at(-1)?.name === 'provisioning-succeeded'
    if (isInForce && isGranted && !CONSUMERS.some(({ agreement }) => agreement === id)) yield id
  },
)

check('example data › fit their contract and port', EXAMPLES, function* ({ id, document }) {
  const source = readText(JSON.stringify(document), 'application/json')
  assert.ok(source.ok)
  const { value } = source
  const contractId = text(value, 'dataContractId')
  const port = findPort(text(value, 'dataProductId'), text(value, 'outputPortId'))
  if (port?.contractId !== contractId) yield `${id}: contract ${contractId}`
  const models = facts.findContract(contractId)?.content.models ?? []
  const example = { schemaName: text(value, 'schemaName'), data: getField(value, 'data') ?? null }
  yield* checkExampleRows(models, example)
})

check(
  'test results › are of a contract, its version, server, model and columns',
  TESTS,
  function* (one) {
    const contract = facts.findContract(one.contractId)?.content
    if (contract?.version !== one.version) yield `${one.contractId} ${one.version}`
    if (!contract?.servers.some(({ name }) => name === one.server)) yield one.server
    const model = contract?.models.find(({ name }) => name === one.model)
    if (model === undefined) yield `${one.contractId} ${one.model}`
    for (const problem of one.nights.flatMap(({ problems }) => problems)) {
      const { field, type, name } = problem
      if (typeof field === 'string' && !model?.fields.some((known) => known.name === field)) {
        yield field
      }
      const isRule = type === 'model_quality_sql'
      if (isRule && !model?.quality.some((rule) => rule.name === name)) yield String(name)
    }
  },
)

check(
  'costs, keys, channels and integrations › are of products and teams that exist',
  [
    ...Object.keys(MONTHLY_COSTS).map((id) => ['data-products', id]),
    ...TEAM_KEYS.map(({ team }) => ['teams', team]),
    ...CHANNELS.map(({ team = '' }) => ['teams', team]),
    ...ADDED.map(({ ownerTeam }) => ['teams', ownerTeam]),
  ],
  function* ([folder = '', id = '']) {
    if (!facts.has(folder, id)) yield `${folder}/${id}`
  },
)

check('follows › are of members, and of things that exist', FOLLOWS, function* (one) {
  if (!isMember(one.person)) yield one.person
  if (!facts.has(one.kind === 'team' ? 'teams' : 'data-products', one.id)) yield one.id
})

check('keys › are made by members', TEAM_KEYS, function* ({ maker }) {
  if (!isMember(maker)) yield maker
})

function text(value: Value, name: string): string {
  return asText(getField(value, name)) ?? ''
}

/** Returns the age in hours of the first document that has the port of an agreement. */
function findBirth({ product, port }: DemoAgreement): number {
  const ages = facts.products
    .filter(({ id, value }) => id === product && hasPort(value, port))
    .map(({ hoursAgo }) => hoursAgo)
  return Math.max(0, ...ages)
}

function hasPort(product: Value, port: string): boolean {
  return toItems(getField(product, 'outputPorts')).some(
    (one) => text(one, 'id') === port || text(one, 'name') === port,
  )
}
