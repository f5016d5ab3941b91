import assert from 'node:assert/strict'
import test from 'node:test'
import { curlCommands } from './curl-commands.ts'

for (const list of ['/api/dataproducts', '/api/datacontracts']) {
  test(`curlCommands of ${list} › no id ends the quotation of the shell`, () => {
    const place = { origin: 'https://p.example', list, id: "a'; rm -rf $HOME #" }
    const { get, put } = curlCommands(place, 'application/yaml')
    for (const command of [get, put]) {
      assert.equal(command.split("'").length, 3)
      assert.ok(command.includes(`${list}/a%27%3B%20rm%20-rf%20%24HOME%20%23`))
    }
    assert.match(put, /Content-Type: application\/yaml/)
    assert.match(put, /@data(product|contract)\.yaml/)
  })
}
