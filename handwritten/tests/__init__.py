"""Tests of the hand-written server. (lesson 01)"""
