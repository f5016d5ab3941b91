import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { expectProblem, readJson } from '../../test/answers.ts'
import { openMailPost, type MailPost } from '../../test/mailing.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../test/world.ts'

const PATH = '/ui/test-mail'

interface Result {
  to: string
  problem: string | null
}

onStore((store) => {
  let post: MailPost
  let world: World
  before(async () => {
    post = await openMailPost()
    world = await newWorld(newProduct(store(), { mailing: post.mailing }))
  })
  after(() => post.close())
  beforeEach(() => {
    post.server.answerRecipient = () => undefined
  })

  const send = (): Promise<Result> => readJson<Result>(world.asPerson('Uo', 'POST', PATH))

  test(`POST ${PATH} › 200 after a message to the caller's own address`, async () => {
    const { to, problem } = await send()
    assert.equal(problem, null)
    assert.match(to, /^owner-/)
    assert.deepEqual(
      post.server.mails.map((mail) => [mail.to, mail.message.subject]),
      [[to, 'Test message of Portbook']],
    )
  })

  test(`POST ${PATH} › 200 with the reason if the mail server rejects it, without its own words`, async () => {
    post.server.answerRecipient = () => ({ status: 550, text: '5.1.1 canary' })
    const { problem } = await send()
    assert.match(problem ?? '', /rejected the recipient \(550 5\.1\.1\)/)
    assert.doesNotMatch(problem ?? '', /canary/)
  })

  test(`POST ${PATH} › 403 for members, 422 without a mail server, 429 above the limit`, async () => {
    await expectProblem(world.asPerson('Um', 'POST', PATH), 403)
    const [off, limited] = [
      newProduct(store()),
      newProduct(store(), {
        mailing: {
          ...post.mailing,
          rate: () => ({ allowed: false, remaining: 0, resetSeconds: 9 }),
        },
      }),
    ]
    await expectProblem(
      (await newWorld(off)).asPerson('Uo', 'POST', PATH),
      422,
      /PORTBOOK_SMTP_URL/,
    )
    await expectProblem((await newWorld(limited)).asPerson('Uo', 'POST', PATH), 429)
  })

  test('GET /ui/about › 200 with the mail server and the sender', async () => {
    const { mail } = await readJson<{ mail: unknown }>(world.asPerson('Um', 'GET', '/ui/about'))
    const { port } = post.server.settings
    assert.deepEqual(mail, { server: `127.0.0.1:${port}`, from: 'catalog@rail.example' })
  })
})
