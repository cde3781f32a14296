# SPDX-License-Identifier: GPL-3.0-or-later
#
# `stintctl history`: what is listed, found, shown, changed, removed, imported, exported.

import csv
import io
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *


def history(sandbox, *arguments, **options):
    return sandbox.finish(*arguments, verb=('history',), json=False, **options)


def objects(run):
    check_equal((run.status, run.err), (0, ''), 'status')
    return [json.loads(line) for line in run.out.decode().splitlines()]


def ids(sandbox, verb, *arguments):
    return [entry['id'] for entry in objects(history(sandbox, verb, '--json', *arguments))]


def fails(sandbox, *arguments, says=''):
    run = history(sandbox, *arguments)
    check_equal((run.status, run.out, len(run.err.splitlines())), (125, b'', 1), f'{arguments}: {run.err}')
    check(says in run.err, f'{arguments}: {run.err}')


def run_some(sandbox):
    sandbox.finish('--name', 'first one', '--tag', 'nightly', 'printf', 'alpha\\nbeta E42 gamma\\n', json=False)
    sandbox.finish('--shell', 'echo 构建失败了; exit 3', json=False)
    sandbox.finish('printf', '\\033[31mتم البناء\\033[0m\\n', json=False)


@subtest('list and search find jobs by what they are, and by words of their output')
def search(sandbox):
    check_equal(ids(sandbox, 'list'), [], 'of nothing')
    run_some(sandbox)
    for query, expected in (((), [3, 2, 1]), (('--limit', '1'), [3]), (('failed:yes',), [2]), (('--', '-failed:yes'), [3, 1]),
                            (('exit:3', 'since:today'), [2]), (('tag:nightly',), [1]), (('name:first one',), [1]),
                            (('-tag:nightly',), [3, 2]), (('--sort', 'oldest'), [1, 2, 3])):
        check_equal(ids(sandbox, 'list', *query), expected, str(query))
    for query, expected in (('E42', [1]), ('e42 alpha', [1]), ('"beta E42"', [1]), ('"E42 beta"', []), ('失败', [2]), ('البناء', [3]),
                            ('printf -E42', [3])):
        check_equal(ids(sandbox, 'search', query), expected, query)
    found = objects(history(sandbox, 'search', '--json', 'E42'))
    check_equal(found[0]['line'], 'beta E42 gamma', 'the line')
    run = history(sandbox, 'search', 'E42')
    check('first one' in run.out.decode() and 'beta E42 gamma' in run.out.decode(), run.out)


@subtest('what cannot be understood is said in one line')
def mistakes(sandbox):
    fails(sandbox, 'list', 'exit:x', says='exit:')
    fails(sandbox, 'list', 'sicne:today', says='since:')
    fails(sandbox, 'list', '--sort', 'best', says='--sort')
    fails(sandbox, 'search', says='--help')
    fails(sandbox, 'frobnicate', says='frobnicate')
    fails(sandbox, 'show', says='last')
    fails(sandbox, 'show', 'last', says='no job')
    fails(sandbox, 'show', '7', says='7')
    fails(sandbox, 'show', 'nobody', says='nobody')
    fails(sandbox, 'remove', '7', says='7')
    fails(sandbox, 'prune', '--older', 'long', says='--older')
    fails(sandbox, 'clear', says='--yes')
    fails(sandbox, 'import', '/no/such/file', says='/no/such/file')


@subtest('show, stats, output and rerun')
def show(sandbox):
    run_some(sandbox)
    entry = objects(history(sandbox, 'show', '--json', 'first one'))[0]
    check_equal((entry['id'], entry['tags'], entry['exitCode'], entry['outputBytes']), (1, ['nightly'], 0, 21), 'show')
    run = history(sandbox, 'show', '2')
    check('code 3' in run.out.decode() and '--shell' in run.out.decode(), run.out)
    stats = objects(history(sandbox, 'stats', '--json'))[0]
    check_equal((stats['jobs'], stats['failed'], len(stats['commands'])), (3, 1, 3), 'stats')
    check_equal(history(sandbox, 'output', 'first one').out, b'alpha\nbeta E42 gamma\n', 'output')
    run = history(sandbox, 'rerun', '2')
    check_equal((run.status, run.out), (3, '构建失败了\n'.encode()), 'rerun')
    again = objects(history(sandbox, 'show', '--json', 'last'))[0]
    check_equal((again['id'], again['command'], again['exitCode']), (4, entry_command(sandbox, 2), 3), 'the new job')


def entry_command(sandbox, number):
    return objects(history(sandbox, 'show', '--json', str(number)))[0]['command']


@subtest('names, tags and pins')
def changes(sandbox):
    run_some(sandbox)
    for arguments in (('rename', '2', 'a', 'better', 'name'), ('tag', '2', 'x', 'y'), ('untag', '2', 'x'), ('pin', '2', '3'), ('unpin', '3')):
        check_equal(history(sandbox, *arguments).status, 0, str(arguments))
    entry = objects(history(sandbox, 'show', '--json', 'a better name'))[0]
    check_equal((entry['id'], entry['tags'], entry['pinned']), (2, ['y'], True), 'changed')
    check_equal(ids(sandbox, 'list', 'pinned:yes'), [2], 'pinned')
    check_equal(ids(sandbox, 'search', 'better'), [2], 'found by its new name')
    history(sandbox, 'rename', '2')
    check_equal(ids(sandbox, 'search', 'better'), [], 'found by no name')


@subtest('remove, prune and clear take the output with them, and say how much')
def removal(sandbox):
    run_some(sandbox)
    jobs = sandbox.state / 'stint' / 'jobs'
    check_equal(objects(history(sandbox, 'remove', '1', '--json'))[0]['removed'], 1, 'removed')
    check(not (jobs / '1').exists() and (jobs / '2').exists(), 'its directory')
    check_equal(ids(sandbox, 'search', 'E42'), [], 'its words')
    history(sandbox, 'pin', '2')
    check_equal(objects(history(sandbox, 'prune', '--keep', '0', '--older', '0', '--json'))[0]['removed'], 0, 'prune of nothing')
    check_equal(objects(history(sandbox, 'prune', '--max-size', '1', '--dry-run', '--json'))[0]['wouldRemove'], 1, 'dry')
    check_equal(objects(history(sandbox, 'prune', '--max-size', '1', '--json'))[0]['removed'], 1, 'prune')
    check_equal(ids(sandbox, 'list'), [2], 'the pinned one')
    check_equal(objects(history(sandbox, 'clear', '--yes', '--json'))[0]['removed'], 1, 'clear')
    check_equal((ids(sandbox, 'list'), list(jobs.iterdir())), ([], []), 'all')
    sandbox.finish('true', json=False)
    check_equal(ids(sandbox, 'list'), [4], 'no id is given twice')


@subtest('import from bash, zsh and atuin, once')
def imports(sandbox):
    files = {
        'bash_history': ('#1700000000\nmake all\n#1700000100\nfor i in 1 2; do\n  echo $i\ndone\n', 2),
        'plain_bash': ('ls\ncd /tmp\n\n', 2),
        'zsh_history': (': 1700000200:5;sleep 5\n: 1700000300:0;echo a\\\nb\n', 2),
        'atuin.json': ('{"timestamp": 1700000400000000000, "duration": 2000000000, "exit": 2, "command": "false x", "cwd": "/w"}\nnonsense\n', 1),
    }
    for name, (content, count) in files.items():
        sandbox.path(name).write_text(content)
        check_equal(objects(history(sandbox, 'import', name, '--dry-run', '--json'))[0]['read'], count, name)
        check_equal(objects(history(sandbox, 'import', name, '--json'))[0]['added'], count, name)
        check_equal(objects(history(sandbox, 'import', name, '--json'))[0]['added'], 0, f'{name} again')
    entry = objects(history(sandbox, 'list', '--json', 'command:false x'))[0]
    check_equal((entry['cwd'], entry['exitCode'], entry['durationMs'], entry['startedAt']), ('/w', 2, 2000, '2023-11-14T22:20:00.000Z'), 'atuin')
    entry = objects(history(sandbox, 'list', '--json', 'command:sleep 5'))[0]
    check_equal((entry['durationMs'], entry['exitCode']), (5000, None), 'zsh')
    check_equal(objects(history(sandbox, 'list', '--json', '"echo a"'))[0]['command'], 'echo a\nb', 'a command of two lines')
    # A shell remembers no exit codes.
    sandbox.checks_history = False


@subtest('export as JSON and CSV, and of one job as a recording')
def exports(sandbox):
    run_some(sandbox)
    check_equal(len(objects(history(sandbox, 'export'))), 3, 'json')
    rows = list(csv.DictReader(io.StringIO(history(sandbox, 'export', '--format', 'csv', 'failed:yes').out.decode(), newline='')))
    check_equal([(row['id'], row['exitCode'], row['command']) for row in rows], [('2', '3', entry_command(sandbox, 2))], 'csv')
    check_equal(history(sandbox, 'export', '-o', 'all.csv').status, 0, 'into a file')
    check_equal(len(sandbox.path('all.csv').read_text().splitlines()), 4, 'rows of the file')
    run = history(sandbox, 'export', 'last', '--format', 'asciicast')
    check(run.out.startswith(b'{"version": 2'), run.out[:80])


@subtest('backup copies the whole database and overwrites nothing')
def backup(sandbox):
    run_some(sandbox)
    check_equal(history(sandbox, 'backup', 'copy.db').status, 0, 'backup')
    connection = sqlite3.connect(sandbox.path('copy.db'))
    check_equal((connection.execute('SELECT count(*) FROM jobs').fetchone(), connection.execute('PRAGMA integrity_check').fetchone()),
                ((3,), ('ok',)), 'the copy')
    connection.close()
    check_equal(sandbox.path('copy.db').stat().st_mode & 0o777, 0o600, 'mode')
    fails(sandbox, 'backup', 'copy.db', says='copy.db')


@subtest('a job whose stintctl was killed has ended, with no window to say so')
def interrupted(sandbox):
    run = sandbox.run('--name', 'cut off', '--shell', 'echo begun; exec sleep 1000')
    wait_until(lambda: ids(sandbox, 'list', 'running:yes') == [1], 'it in the history')
    run.process.kill()
    wait_until(lambda: ids(sandbox, 'list', 'running:yes') == [], 'its end')
    entry = objects(history(sandbox, 'show', '--json', 'cut off'))[0]
    check_equal((entry['reason'], entry['running']), ('interrupted', False), 'how')
    check_equal(ids(sandbox, 'list', 'failed:yes'), [1], 'as a failure')
    run.close()


@subtest('output that another user may not read is no empty one')
def not_ours(sandbox):
    make_usable_by_others(sandbox)
    check_equal(sandbox.finish('echo', 'secret', **as_ordinary_user()).out, b'secret\n')
    directory = sandbox.state / 'stint' / 'jobs' / '1'
    directory.chmod(0)
    for verb in ('output', 'follow', 'export'):
        run = sandbox.finish('1', verb=(verb,), json=False, **as_ordinary_user())
        check_equal((run.status, run.out), (125, b''), verb)
        check('job 1 cannot be read' in run.err and run.err.count('\n') == 1, run.err)
    directory.chmod(0o700)


@subtest('a damaged or newer history is told and left as it is')
def damaged(sandbox):
    run_some(sandbox)
    file = sandbox.state / 'stint' / 'history.db'
    connection = sqlite3.connect(file)
    connection.execute('PRAGMA journal_mode = DELETE')
    connection.execute('PRAGMA user_version = 1000000')
    connection.close()
    before = file.read_bytes()
    fails(sandbox, 'list', says='newer')
    check_equal(file.read_bytes(), before, 'newer')
    file.write_bytes(b'no database' * 1000)
    fails(sandbox, 'search', 'x', says='history.db')
    check_equal(file.read_bytes(), b'no database' * 1000, 'damaged')
    sandbox.checks_history = False


if __name__ == '__main__':
    sys.exit(main())
