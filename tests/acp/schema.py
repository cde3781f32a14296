# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what Stint writes against the protocol's JSON schema, as the official SDK carries it.

A small validator: what of JSON Schema that schema uses. `Checker.from_environment()` is None unless
STINT_ACP_SCHEMA names the file."""
import json
import os

TYPES = {
    'null': lambda value: value is None,
    'boolean': lambda value: isinstance(value, bool),
    'string': lambda value: isinstance(value, str),
    'integer': lambda value: isinstance(value, int) and not isinstance(value, bool),
    'number': lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    'array': lambda value: isinstance(value, list),
    'object': lambda value: isinstance(value, dict),
}


class Checker:
    # In the directory in which the agent runs: what was wrong, for whoever looks when it has ended. What came when
    # no turn ran, or none was left, is told nowhere else.
    FAULTS = 'invalid-messages'

    def __init__(self, schema):
        self.defs = schema['$defs']
        # The parameters and the result of each method, by who serves it.
        self.methods = {}
        for name, definition in self.defs.items():
            method = definition.get('x-method')
            if method is None:
                continue
            part = 'result' if name.endswith('Response') else 'params'
            self.methods.setdefault(method, {})[part] = definition

    @classmethod
    def from_environment(cls):
        path = os.environ.get('STINT_ACP_SCHEMA')
        if not path:
            return None
        with open(path, encoding='utf-8') as file:
            return cls(json.load(file))

    def errors(self, value, schema, where='$'):
        """Yields what is wrong with value."""
        if schema is True or schema == {}:
            return
        if '$ref' in schema:
            yield from self.errors(value, self.defs[schema['$ref'].rsplit('/', 1)[1]], where)
        types = schema.get('type')
        if types is not None:
            types = [types] if isinstance(types, str) else types
            if not any(TYPES[name](value) for name in types):
                yield '%s: %r is no %s' % (where, value, '/'.join(types))
                return
        if 'const' in schema and value != schema['const']:
            yield '%s: %r is not %r' % (where, value, schema['const'])
        if 'enum' in schema and value not in schema['enum']:
            yield '%s: %r is none of %r' % (where, value, schema['enum'])
        if 'minimum' in schema and TYPES['number'](value) and value < schema['minimum']:
            yield '%s: %r is too small' % (where, value)
        for part in schema.get('allOf', []):
            yield from self.errors(value, part, where)
        for kind in ('anyOf', 'oneOf'):
            if kind in schema and all(any(True for _ in self.errors(value, part, where)) for part in schema[kind]):
                yield '%s: %r is none of what it may be' % (where, value)
        if 'not' in schema and not any(True for _ in self.errors(value, schema['not'], where)):
            yield '%s: %r is what it must not be' % (where, value)
        if isinstance(value, dict):
            for name in schema.get('required', []):
                if name not in value:
                    yield '%s: %s is missing' % (where, name)
            for name, part in schema.get('properties', {}).items():
                if name in value:
                    yield from self.errors(value[name], part, where + '.' + name)
        if isinstance(value, list) and isinstance(schema.get('items'), dict):
            for i, item in enumerate(value):
                yield from self.errors(item, schema['items'], '%s[%d]' % (where, i))

    def check(self, message, asked):
        """What is wrong with a message of Stint's. `asked`: the agent's open requests, method by id."""
        faults = self.find_faults(message, asked)
        if faults:
            with open(self.FAULTS, 'a', encoding='utf-8') as file:
                file.writelines(fault + '\n' for fault in faults)
        return faults

    def find_faults(self, message, asked):
        if message.get('jsonrpc') != '2.0':
            return ['jsonrpc is missing: %r' % message]
        if 'method' in message:
            definition = self.methods.get(message['method'], {}).get('params')
            if definition is None:
                return ['%s is no method of the protocol' % message['method']]
            return list(self.errors(message.get('params'), definition, message['method']))
        method = asked.pop(json.dumps(message.get('id')), None)
        if 'error' in message:
            return list(self.errors(message['error'], self.defs['Error'], 'error'))
        definition = self.methods.get(method, {}).get('result')
        if definition is None:
            return []
        return list(self.errors(message.get('result'), definition, str(method)))
