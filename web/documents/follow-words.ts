import type { Schemas } from '../api/client.ts'

type FollowState = Schemas['FollowState']

/** The state of a follow in words, and what a click does. */
interface FollowWords {
  word: 'Follow' | 'Following' | 'Muted'
  isFollowing: boolean
  /** Why it is so; undefined = the person chose it. */
  hint: string | undefined
  /** The change of a click: follow, mute, or forget the choice. */
  click: 'follow' | 'mute' | 'forget'
  /** The notice after a click that ends what the person did not choose; undefined = the word suffices. */
  notice: string | undefined
}

/** Describes the state of a follow: the same words before and after a click. What is followed by default can only be muted. */
export function describeFollow({ state, followsBecause }: FollowState): FollowWords {
  const isDefault = followsBecause !== null
  if (state === 'muted') {
    return {
      word: 'Muted',
      isFollowing: false,
      hint: 'You muted it: you are not notified of its changes. Click to follow it again.',
      click: isDefault ? 'forget' : 'follow',
      notice: undefined,
    }
  }
  if (isDefault) {
    return {
      word: 'Following',
      isFollowing: true,
      hint:
        state === 'following'
          ? undefined
          : followsBecause === 'owner'
            ? 'You follow it because you are a member of the team that owns it. Click to mute it.'
            : 'You follow it because you or your team read it. Click to mute it.',
      click: 'mute',
      notice: 'Muted. You are no longer notified of its changes; click "Muted" to follow it again.',
    }
  }
  const isFollowing = state === 'following'
  return {
    word: isFollowing ? 'Following' : 'Follow',
    isFollowing,
    hint: undefined,
    click: isFollowing ? 'forget' : 'follow',
    notice: undefined,
  }
}
