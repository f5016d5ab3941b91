import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { mountSmallDisk } from '../../../test/small-disk.ts'
import { openLogDestination } from './log-destination.ts'

const LINE = `${'x'.repeat(999)}\n`
const CANNOT_RECOVER = (): never => assert.fail('nothing was written')

const isLinux = process.platform === 'linux'

/** Creates a pipe, and opens both ends of it. */
function openPipe(t: TestContext): { writer: number; reader: number } {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-pipe-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'pipe')
  assert.equal(spawnSync('mkfifo', [path]).status, 0)
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  t.after(() => closeSync(writer))
  return { writer, reader }
}

test('a device that is full › lines are dropped and counted', { skip: !isLinux }, async () => {
  const full = openSync('/dev/full', 'w')
  const destination = openLogDestination(full, CANNOT_RECOVER)
  for (let line = 0; line < 50; line += 1) destination.write(LINE)
  await destination.close()
  assert.equal(destination.countDropped(), 50)
  destination.write('last\n')
  destination.flushSync()
  assert.equal(destination.countDropped(), 51)
  closeSync(full)
})

test('a reader that is gone › lines are dropped and counted', { skip: !isLinux }, async (t) => {
  const { writer, reader } = openPipe(t)
  const destination = openLogDestination(writer, CANNOT_RECOVER)
  closeSync(reader)
  for (let line = 0; line < 50; line += 1) destination.write(LINE)
  await destination.close()
  assert.equal(destination.countDropped(), 50)
})

test(
  'a reader that stops › nothing waits for it, and lines over the buffer are dropped',
  { skip: !isLinux },
  async (t) => {
    const { writer, reader } = openPipe(t)
    let lostCount = 0
    const destination = openLogDestination(writer, (count) => {
      lostCount += count
    })
    for (let line = 0; line < 6000; line += 1) destination.write(LINE)
    destination.flushSync()
    const droppedCount = destination.countDropped()
    assert.ok(droppedCount > 0 && droppedCount <= 6000)
    await destination.close()

    // The reader goes on: it gets whole lines, and the number of the lost ones.
    const buffer = Buffer.alloc(1024 * 1024)
    let text = ''
    const read = (): void => {
      try {
        text += buffer.toString('utf8', 0, readSync(reader, buffer))
      } catch {
        // The pipe is empty.
      }
    }
    read()
    destination.write('later\n')
    await destination.close()
    read()
    assert.equal(lostCount, droppedCount)
    const [, ...whole] = text.split('\n').filter((line) => line !== LINE.trimEnd())
    assert.deepEqual(whole, ['later', ''], 'the first is the line that was cut off')
    closeSync(reader)
  },
)

test('a full disk › once there is space again, lines are whole, and the number of the lost ones is reported', async (t) => {
  const disk = mountSmallDisk(t, '1m')
  if (disk === undefined) return
  const path = join(disk, 'log')
  const file = openSync(path, 'a')
  let lostCount = 0
  const destination = openLogDestination(file, (count) => {
    lostCount += count
    destination.write(`lost ${count}\n`)
  })
  destination.write('first\n')
  await destination.close()
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'filled'), Buffer.alloc(bavail * bsize - 4096))
  for (let line = 0; line < 100; line += 1) destination.write(LINE)
  await destination.close()
  assert.ok(destination.countDropped() > 0)
  rmSync(join(disk, 'filled'))
  destination.write('second\n')
  await destination.close()
  assert.equal(lostCount, destination.countDropped())
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  assert.equal(lines[0], 'first')
  assert.deepEqual(lines.slice(-2), ['second', `lost ${lostCount}`])
  const torn = lines.filter((line) => /^x+$/.test(line) && line.length !== 999)
  assert.ok(torn.length <= 1, 'only the line at which the disk was full')
  closeSync(file)
})
