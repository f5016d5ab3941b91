import assert from 'node:assert/strict'
import test from 'node:test'
import { describeFollow } from './follow-words.ts'

type FollowState = Parameters<typeof describeFollow>[0]

// The server answers so after each change.
function click(state: FollowState): FollowState {
  const { click: change } = describeFollow(state)
  const chosen = ({ follow: 'following', mute: 'muted', forget: 'none' } as const)[change]
  return { ...state, state: chosen }
}

const words = (state: FollowState): string => describeFollow(state).word
const CHOSEN = { count: 0, state: 'none', followsBecause: null } as const

test('describeFollow › a click follows, and another one ends it without a notice', () => {
  const following = click(CHOSEN)
  assert.deepEqual([words(CHOSEN), words(following)], ['Follow', 'Following'])
  assert.equal(describeFollow(following).notice, undefined)
  assert.deepEqual(click(following), CHOSEN)
})

for (const followsBecause of ['owner', 'consumer'] as const) {
  const byDefault = { count: 1, state: 'none', followsBecause } as const
  test(`describeFollow › what a person follows as ${followsBecause} is muted with a notice, and the word names it`, () => {
    assert.equal(words(byDefault), 'Following')
    assert.match(describeFollow(byDefault).hint ?? '', /Click to mute it/)
    assert.match(describeFollow(byDefault).notice ?? '', /^Muted\./)
    const muted = click(byDefault)
    assert.equal(words(muted), 'Muted')
    assert.equal(words(click(muted)), 'Following')
  })
}

test('describeFollow › a mute that outlives its reason is followed again by a click', () => {
  const muted = { ...CHOSEN, state: 'muted' } as const
  assert.equal(words(muted), 'Muted')
  assert.equal(words(click(muted)), 'Following')
})
