import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, expectOk, newProduct, newWorld, odcs, odps, uniqueId } from '../../../test/world.ts'
import type { Product, World } from '../../../test/world.ts'
import type { Lineage } from './lineage.ts'

const NOTHING_KNOWN = {
  tests: { state: 'neutral', word: 'Not tested' },
  freshness: { state: 'neutral', word: 'Unknown' },
  drift: { state: 'neutral', word: 'Not compared' },
  standing: { state: 'neutral', word: 'Not certified' },
  worst: 'neutral',
}

const ROUTE = 'GET /api/dataproducts/{id}/lineage'

const ways = ({ edges }: Lineage): string[] =>
  edges.map(({ from, to, contractId }) => `${from} > ${to} by ${contractId}`).toSorted()

const keys = ({ nodes }: Lineage): string[] => nodes.map(({ key }) => key).toSorted()

const assets = (id: string) => [{ property: 'assets', value: [id] }]

onStore((store) => {
  let product: Product
  let world: World
  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
  })

  const put = async (body: { id?: unknown }, room = 'dataproducts'): Promise<void> => {
    await expectOk(world.as('O', 'PUT', `/api/${room}/${String(body.id)}`, { body }))
  }
  const getLineage = (id: string, more = '', of = world): Promise<Lineage> =>
    readJson<Lineage>(of.as('Um', 'GET', `/api/dataproducts/${id}/lineage${more}`))

  /** Products p0 to p<n-1>, each of which reads the one before. */
  async function chain(length: number): Promise<string> {
    const name = uniqueId()
    for (let at = 0; at < length; at += 1) {
      await put(
        odps(`${name}-p${at}`, {
          inputPorts:
            at === 0 ? [] : [{ name: 'in', version: '1', contractId: `${name}-c${at - 1}` }],
          outputPorts: [{ name: 'out', version: '2', contractId: `${name}-c${at}` }],
        }),
      )
    }
    return name
  }

  test(`${ROUTE} › 200 with only the product if its ports name nothing`, async () => {
    const id = uniqueId()
    await put(odps(id, { outputPorts: [{ name: 'out', version: '1' }] }))
    assert.deepEqual(await getLineage(id), {
      nodes: [
        {
          key: `product:${id}`,
          kind: 'DATA_PRODUCT',
          id,
          name: `Product ${id}`,
          ownerId: 'a',
          ownerName: 'Team A',
          status: 'active',
          exists: true,
          trust: NOTHING_KNOWN,
        },
      ],
      edges: [],
      truncated: false,
    })
  })

  test(`${ROUTE} › edges run from provider to consumer, with contract and output ports`, async () => {
    const name = await chain(3)
    await put(odcs(`${name}-c0`, { name: 'The contract' }), 'datacontracts')
    const found = await getLineage(`${name}-p1`)
    assert.deepEqual(
      keys(found),
      [0, 1, 2].map((at) => `product:${name}-p${at}`),
    )
    const [upstream, downstream] = found.edges.toSorted((a, b) => (a.from < b.from ? -1 : 1))
    assert.deepEqual(upstream, {
      from: `product:${name}-p0`,
      to: `product:${name}-p1`,
      contractId: `${name}-c0`,
      contractName: 'The contract',
      ports: ['out 2'],
    })
    assert.equal(downstream?.contractName, null)
    assert.equal(downstream?.to, `product:${name}-p2`)
  })

  for (const depth of [1, 2, 3]) {
    test(`${ROUTE} › depth ${depth} goes so many steps each way`, async () => {
      const name = await chain(9)
      const found = await getLineage(`${name}-p4`, `?depth=${depth}`)
      const reached = Array.from({ length: 2 * depth + 1 }, (_, at) => 4 - depth + at)
      // The sources of the farthest products are not loaded.
      assert.deepEqual(
        keys(found),
        reached.map((at) => `product:${name}-p${at}`),
      )
      assert.equal(found.edges.length, 2 * depth)
      assert.equal(found.truncated, false)
    })
  }

  test(`${ROUTE} › DPS and ODPS meet, and source systems and assets are upstream`, async () => {
    const name = uniqueId()
    await put({ id: `${name}-sap`, name: 'SAP ERP', owner: 'a' } as never, 'sourcesystems')
    await put(
      { id: `${name}-t`, info: { name: 'Orders', type: 'table', owner: 'b' } } as never,
      'assets',
    )
    await put(
      dps(`${name}-one`, {
        inputPorts: [
          { id: 'i', name: 'Core', sourceSystemId: `${name}-sap` },
          { id: 'k', name: 'Scans', sourceSystemId: 'scanner' },
          { id: 'j', name: 'Tables', custom: { assets: [`${name}-t`, `${name}-gone`] } },
        ],
        outputPorts: [{ id: 'o', name: 'Out', dataContractId: `${name}-c` }],
      }),
    )
    await put(
      odps(`${name}-two`, { inputPorts: [{ name: 'in', version: '1', contractId: `${name}-c` }] }),
    )
    const found = await getLineage(`${name}-two`, '?depth=2')
    assert.deepEqual(ways(found), [
      `asset:${name}-gone > product:${name}-one by null`,
      `asset:${name}-t > product:${name}-one by null`,
      `product:${name}-one > product:${name}-two by ${name}-c`,
      `source:${name}-sap > product:${name}-one by null`,
      `source:scanner > product:${name}-one by null`,
    ])
    const byKey = new Map(found.nodes.map((node) => [node.key, node]))
    assert.equal(byKey.size, found.nodes.length)
    assert.deepEqual(byKey.get(`asset:${name}-t`), {
      key: `asset:${name}-t`,
      kind: 'DATA_ASSET',
      id: `${name}-t`,
      name: 'Orders',
      ownerId: 'b',
      ownerName: 'Team B',
      status: null,
      exists: true,
      trust: NOTHING_KNOWN,
    })
    assert.equal(byKey.get(`asset:${name}-gone`)?.exists, false)
    assert.deepEqual(byKey.get(`source:${name}-sap`), {
      key: `source:${name}-sap`,
      kind: 'SOURCE_SYSTEM',
      id: `${name}-sap`,
      name: 'SAP ERP',
      ownerId: 'a',
      ownerName: 'Team A',
      status: null,
      exists: true,
      trust: null,
    })
    assert.equal(byKey.get('source:scanner')?.kind, 'SOURCE_SYSTEM')
    assert.deepEqual(found.edges.find(({ from }) => from === `source:${name}-sap`)?.ports, ['Core'])
    const near = await getLineage(`${name}-two`)
    assert.deepEqual(keys(near), [`product:${name}-one`, `product:${name}-two`])
  })

  test(`${ROUTE} › an asset that an output port provides links its readers`, async () => {
    const name = uniqueId()
    const port = { name: 'p', version: '1', customProperties: assets(`${name}-t`) }
    await put(odps(`${name}-one`, { outputPorts: [port] }))
    await put(odps(`${name}-two`, { inputPorts: [port] }))
    const expected = [`product:${name}-one > product:${name}-two by null`]
    assert.deepEqual(ways(await getLineage(`${name}-one`)), expected)
    assert.deepEqual(ways(await getLineage(`${name}-two`)), expected)
  })

  test(`${ROUTE} › a contract without a provider represents its future provider`, async () => {
    const name = uniqueId()
    await put(odps(name, { inputPorts: [{ name: 'in', version: '1', contractId: `${name}-c` }] }))
    const promised = await getLineage(name)
    assert.deepEqual(keys(promised), [`contract:${name}-c`, `product:${name}`])
    assert.equal(promised.nodes[1]?.exists, false)
    assert.equal(promised.nodes[1]?.name, `${name}-c`)
    await put(odcs(`${name}-c`, { name: 'Written' }), 'datacontracts')
    assert.equal((await getLineage(name)).nodes[1]?.name, 'Written')
    await put(
      odps(`${name}-p`, { outputPorts: [{ name: 'o', version: '1', contractId: `${name}-c` }] }),
    )
    assert.deepEqual(keys(await getLineage(name)), [`product:${name}`, `product:${name}-p`])
  })

  test(`${ROUTE} › circles and a product that reads itself come to an end`, async () => {
    const name = uniqueId()
    const ports = (from: string, to: string) => ({
      inputPorts: [{ name: 'i', version: '1', contractId: `${name}-${from}` }],
      outputPorts: [{ name: 'o', version: '1', contractId: `${name}-${to}` }],
    })
    await put(odps(`${name}-1`, ports('c', 'a')))
    await put(odps(`${name}-2`, ports('a', 'b')))
    await put(odps(`${name}-3`, ports('b', 'c')))
    await put(odps(`${name}-self`, ports('s', 's')))
    for (const depth of [1, 2, 3]) {
      const found = await getLineage(`${name}-1`, `?depth=${depth}`)
      assert.deepEqual(
        keys(found),
        [1, 2, 3].map((at) => `product:${name}-${at}`),
      )
      assert.equal(found.edges.length, 3)
    }
    const alone = await getLineage(`${name}-self`, '?depth=3')
    assert.deepEqual([alone.nodes.length, alone.edges.length], [1, 0])
  })

  test(`${ROUTE} › at most 200 nodes, both directions shown, and the answer is marked as truncated`, async () => {
    const name = uniqueId()
    await put(
      odps(name, {
        inputPorts: [{ name: 'i', version: '1', contractId: `${name}-in` }],
        outputPorts: [{ name: 'o', version: '1', contractId: `${name}-out` }],
      }),
    )
    const many = Array.from({ length: 300 }, (_, at) => {
      const port = { name: 'p', version: '1' }
      return at < 30
        ? odps(`${name}-up${at}`, { outputPorts: [{ ...port, contractId: `${name}-in` }] })
        : odps(`${name}-down${at}`, { inputPorts: [{ ...port, contractId: `${name}-out` }] })
    })
    // One key has a limit of requests at once.
    for (let at = 0; at < many.length; at += 100) {
      await Promise.all(many.slice(at, at + 100).map((body) => put(body)))
    }
    const found = await getLineage(name, '?depth=3')
    assert.equal(found.truncated, true)
    assert.equal(found.nodes.length, 200)
    assert.equal(keys(found).filter((key) => key.includes('-up')).length, 30)
    assert.deepEqual(await getLineage(name, '?depth=3'), found)
    for (const { from, to } of found.edges) {
      for (const key of [from, to]) assert.ok(keys(found).includes(key))
    }
  })

  test(`${ROUTE} › nothing of another organization is linked`, async () => {
    const other = await newWorld(product)
    const name = await chain(1)
    const body = odps(`${name}-theirs`, {
      inputPorts: [{ name: 'i', version: '1', contractId: `${name}-c0` }],
    })
    await expectOk(other.as('O', 'PUT', `/api/dataproducts/${name}-theirs`, { body }))
    assert.deepEqual(keys(await getLineage(`${name}-p0`)), [`product:${name}-p0`])
    await expectProblem(world.as('O', 'GET', `/api/dataproducts/${name}-theirs/lineage`), 404)
    assert.deepEqual(keys(await getLineage(`${name}-theirs`, '', other)), [
      `contract:${name}-c0`,
      `product:${name}-theirs`,
    ])
  })

  test(`${ROUTE} › 404 for an unknown product, 400 for a depth that is none of 1 to 3`, async () => {
    await expectProblem(world.as('O', 'GET', `/api/dataproducts/${uniqueId()}/lineage`), 404)
    const name = await chain(1)
    for (const depth of ['0', '4', '-1', 'x', '', '1.5', '1&depth=2']) {
      const path = `/api/dataproducts/${name}-p0/lineage?depth=${depth}`
      await expectProblem(world.as('O', 'GET', path), 400)
    }
  })
})
