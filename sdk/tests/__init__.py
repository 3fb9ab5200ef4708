"""Tests of the server on the SDK. (lesson 05)"""
