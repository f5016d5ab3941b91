import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { GENERATION_TYPES } from '../../../formats/generate/generate.ts'
import { expectProblem, expectViolations, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, uniqueId, type World } from '../../../test/world.ts'

interface Generation {
  dataContractId: string
  generationType: string
  files: { filename: string; language: string; content: string }[]
  prompt: string | null
}

onStore((store) => {
  let world: World
  let id: string
  before(async () => {
    world = await newWorld(newProduct(store()))
    id = uniqueId()
    const schema = [
      { name: 'orders', properties: [{ name: 'id', logicalType: 'integer', required: true }] },
    ]
    const body = odcs(id, { schema })
    await expectOk(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body }))
  })

  const generate = (body: unknown, contract = id): Promise<Response> =>
    world.as('Um', 'POST', `/api/datacontracts/${contract}/generate`, { body })

  describe('POST /api/datacontracts/{id}/generate', () => {
    for (const type of GENERATION_TYPES) {
      test(`200 with the files of type ${type}`, async () => {
        const answer = await readJson<Generation>(generate({ type, prompt: 'ignored' }))
        const { files, ...head } = answer
        assert.deepEqual(head, {
          dataContractId: id,
          generationType: type,
          prompt: 'ignored',
        })
        const [file] = files
        assert.deepEqual(Object.keys(file ?? {}), ['filename', 'language', 'content'])
        assert.match(file?.content ?? '', /orders/i)
      })
    }

    test('200 with a query of all columns', async () => {
      const { files, prompt } = await readJson<Generation>(generate({ type: 'sql-select' }))
      assert.equal(prompt, null)
      assert.equal(files[0]?.content, 'SELECT\n  "id"\nFROM "orders";\n')
    })

    test('400 for an unknown or missing type, with the types', async () => {
      for (const body of [{ type: 'java' }, {}, { type: null }]) {
        await expectProblem(generate(body), 400, /type must be one of sql-select, .*, custom\.$/)
      }
      await expectViolations(generate({ type: 'sql-ddl', prompt: 1 }), 400, ['prompt'])
      await expectProblem(generate('{'), 400)
    })

    test('404 for an unknown contract', async () => {
      await expectProblem(generate({ type: 'sql-select' }, uniqueId()), 404)
      await expectProblem(generate({ type: 'custom' }, uniqueId()), 404)
    })

    test('422 for custom, which needs a language model', async () => {
      await expectProblem(generate({ type: 'custom', prompt: 'x' }), 422, /language model/)
    })

    test('422 for a contract that is not ODCS', async () => {
      const dcs = uniqueId()
      const body = {
        dataContractSpecification: '1.2.1',
        id: dcs,
        info: { title: 'D', version: '1', owner: 'a' },
      }
      await expectOk(world.as('O', 'PUT', `/api/datacontracts/${dcs}`, { body }))
      await expectProblem(generate({ type: 'sql-select' }, dcs), 422, /is DCS/)
    })
  })
})
