import { createPlaces } from './places.ts';

const placeAt = (rank: number) => ({ values: [rank], rank });

describe('places of a list', () => {
  it('are found where they are before the row and near it, the nearest first', () => {
    const places = createPlaces();
    for (const rank of [100, 300, 200, 400]) places.remember('newest', placeAt(rank));
    expect(places.before('newest', 350, 1_000)).toEqual(placeAt(300));
    expect(places.before('newest', 300, 1_000)).toEqual(placeAt(300));
    expect(places.before('newest', 99, 1_000)).toBeNull();
    expect(places.before('newest', 700, 200)).toBeNull();
  });

  it('belong to one list, and a place that was counted again has its new rank only', () => {
    const places = createPlaces();
    places.remember('newest', placeAt(100));
    places.remember('newest', { ...placeAt(100), rank: 150 });
    expect(places.before('newest', 120, 1_000)).toBeNull();
    expect(places.before('newest', 160, 1_000)).toMatchObject({ rank: 150 });
    expect(places.before('largest', 160, 1_000)).toBeNull();
  });

  it('are forgotten, the oldest of a list and the list that was asked for longest ago', () => {
    const places = createPlaces();
    for (let rank = 0; rank <= 32; rank += 1) places.remember('newest', placeAt(rank));
    expect(places.before('newest', 0, 1_000)).toBeNull();
    expect(places.before('newest', 1, 1_000)).toEqual(placeAt(1));
    for (let list = 0; list < 200; list += 1) places.remember(`of ${list}`, placeAt(1));
    expect(places.before('newest', 40, 1_000)).toBeNull();
    expect(places.before('of 0', 40, 1_000)).toEqual(placeAt(1));
  });
});
