import { before, test } from 'node:test'
import {
  addIntegration,
  integrationBody,
  openPages,
  INTEGRATIONS,
} from '../../../test/integrations.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched, selectTwin } from '../../../test/twin.ts'
import { expectOk, newProduct, newWorld, type World } from '../../../test/world.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })
  const { as, get, put, readRow } = openPages(() => world)

  test('enabling, changing and disabling an integration leaves another one as it is', async () => {
    const id = await addIntegration(world, 'a')
    const other = await readRow(await addIntegration(world, 'a'))
    const select = async (column: 'id' | 'integration_id') =>
      await selectTwin(store().db, { organization_id: world.organizationId, [column]: other.id })
    const twins = [await addTwin(world), await select('id'), await select('integration_id')]
    await expectUntouched(twins, async () => {
      await expectOk(as('Uo', 'POST', `${INTEGRATIONS}/${id}/disable`))
      await expectOk(as('Uo', 'POST', `${INTEGRATIONS}/${id}/enable`))
      const { version } = await get(id)
      await expectOk(put(id, { ...integrationBody({ name: 'Renamed' }), version }))
    })
  })
})
