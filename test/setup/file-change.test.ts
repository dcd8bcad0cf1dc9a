import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeFile, contentBefore, restoreFile } from '../../src/setup/file-change.ts';
import { put, temporaryPlaces } from './places.ts';

describe('changeFile and restoreFile', () => {
  it('put back the exact bytes, and the mode', () => {
    const places = temporaryPlaces();
    const bytes = Buffer.from('\uFEFF{"a": "\r\n"}');
    const path = join(places.currentFolder, 'x.json');
    writeFileSync(path, bytes);
    chmodSync(path, 0o640);
    const { backup } = changeFile(path, { now: bytes, text: 'new' }, places);
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readFileSync(String(backup))).toEqual(bytes);
    expect(statSync(String(backup)).mode & 0o777).toBe(0o600);
    restoreFile(path, places);
    expect(readFileSync(path)).toEqual(bytes);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(() => restoreFile(path, places)).toThrow(expect.objectContaining({ code: 'nothing_to_restore' }));
  });

  it('remove a file that was not there', () => {
    const places = temporaryPlaces();
    const path = join(places.home, 'deep', 'x.json');
    changeFile(path, { now: undefined, text: 'new' }, places);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    restoreFile(path, places);
    expect(existsSync(path)).toBe(false);
  });

  it('follow a link instead of replacing it', () => {
    const places = temporaryPlaces();
    const real = put(join(places.home, 'dotfiles', 'x.json'), 'old');
    const link = join(places.currentFolder, 'x.json');
    symlinkSync(real, link);
    changeFile(link, { now: Buffer.from('old'), text: 'new' }, places);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe('new');
    expect(contentBefore(real, places)?.bytes?.toString()).toBe('old');
    restoreFile(real, places);
    expect(readFileSync(link, 'utf8')).toBe('old');
  });

  it('write nothing over a change that came in between', () => {
    const places = temporaryPlaces();
    const path = put(join(places.home, 'x.json'), 'theirs');
    expect(() => changeFile(path, { now: Buffer.from('old'), text: 'new' }, places)).toThrow(
      expect.objectContaining({ code: 'file_changed' }),
    );
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    changeFile(path, { now: Buffer.from('theirs'), text: 'new' }, places);
    writeFileSync(path, 'changed');
    expect(() => restoreFile(path, places)).toThrow(expect.objectContaining({ code: 'file_changed' }));
    expect(readFileSync(path, 'utf8')).toBe('changed');
    rmSync(path);
    expect(() => restoreFile(path, places)).toThrow(expect.objectContaining({ code: 'file_changed' }));
  });

  it('take a file that is as before already for put back', () => {
    const places = temporaryPlaces();
    const path = put(join(places.home, 'x.json'), 'old');
    changeFile(path, { now: Buffer.from('old'), text: 'new' }, places);
    writeFileSync(path, 'old');
    expect(restoreFile(path, places).path).toBe(path);
    expect(contentBefore(path, places)).toBeUndefined();
  });

  it('say what cannot be written', () => {
    const places = temporaryPlaces();
    const file = put(join(places.home, 'file'), '');
    expect(() => changeFile(join(file, 'x.json'), { now: undefined, text: 'new' }, places)).toThrow(
      expect.objectContaining({ code: 'host_file_unusable' }),
    );
  });

  it('never take a lost backup for a file that was not there', () => {
    const places = temporaryPlaces();
    const path = put(join(places.home, 'x.json'), 'old');
    const { backup } = changeFile(path, { now: Buffer.from('old'), text: 'new' }, places);
    rmSync(String(backup));
    expect(() => restoreFile(path, places)).toThrow(expect.objectContaining({ code: 'nothing_to_restore' }));
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(contentBefore(path, places)).toEqual({ isStillOurs: false });
  });
});
