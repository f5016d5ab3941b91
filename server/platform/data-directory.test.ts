import assert from 'node:assert/strict'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { test } from 'node:test'
import { chooseDataDirectory } from './data-directory.ts'

test('chooseDataDirectory › a clone keeps its data in its folder', () => {
  assert.equal(chooseDataDirectory(), './data')
  assert.equal(chooseDataDirectory(false, true), './data')
})

test('chooseDataDirectory › the package never uses the folder that it is started in', () => {
  assert.equal(chooseDataDirectory(true, false), join(homedir(), '.portbook'))
  assert.equal(chooseDataDirectory(true, true), '/var/lib/portbook')
  for (const isRoot of [false, true]) assert.ok(isAbsolute(chooseDataDirectory(true, isRoot)))
})
